package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.Etl;
import io.millrace.continuous.Etl.Batch;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that records missing in the source are deleted, unless only a part of the source was read.
 */
class EtlDeletionTest extends EngineFixture {

  record Customer(Integer id, String name) {}

  private final List<Customer> source = new ArrayList<>();
  private final Map<String, String> target = new TreeMap<>();
  private final Set<String> kept = new TreeSet<>();
  private String next;
  private int removalsUntilDeath = Integer.MAX_VALUE;

  @BeforeEach
  void begin() {
    for (int id = 1; id <= 6; id++) {
      source.add(new Customer(id, "n" + id));
    }
    run(
        Etl.of("customers", (ctx, position) -> new Batch<>(List.copyOf(source), next))
            .reduce(reduce -> reduce.key("/id"))
            .chunks(2)
            .deleted(50, (ctx, keys) -> remove(keys))
            .into((ctx, chunk) -> {
              chunk.forEach(r -> target.put(String.valueOf(r.value().id()), r.value().name()));
              return chunk;
            }));
    runOnce();
  }

  private List<String> remove(List<String> keys) {
    if (--removalsUntilDeath == 0) {
      throw new IllegalStateException("the target is away");
    }
    log.add("remove " + keys);
    List<String> gone = keys.stream().filter(key -> !kept.contains(key)).toList();
    target.keySet().removeAll(gone);
    return gone;
  }

  private long runOnce() {
    long id = start(StartRequest.of("customers").businessKey("shop"));
    engine.runUntilIdle();
    engine.advance(Duration.ofMinutes(5));
    return id;
  }

  private void lacks(Integer... ids) {
    source.removeIf(customer -> List.of(ids).contains(customer.id()));
  }

  @Test
  void whatTheSourceNoLongerHasIsTakenAwayOnce() {
    lacks(2, 4, 6);
    removalsUntilDeath = 2;
    long id = runOnce();

    assertThat(target).containsOnlyKeys("1", "3", "5");
    assertThat(log).hasSize(2).doesNotHaveDuplicates();
    assertThat(client().variables(id)).containsEntry(Etl.DELETED, "3");
    log.clear();
    runOnce();
    assertThat(log).isEmpty();
    source.add(new Customer(2, "n2"));
    runOnce();
    assertThat(target).containsOnlyKeys("1", "2", "3", "5");
  }

  @Test
  void whatWasNotTakenAwayIsToldAgain() {
    lacks(2);
    kept.add("2");
    assertThat(client().variables(runOnce())).containsEntry(Etl.DELETED, "0");
    kept.clear();
    runOnce();
    assertThat(target).doesNotContainKey("2");
  }

  @Test
  void aSourceThatLacksTooMuchChangesNothing() {
    lacks(1, 2, 3, 4);
    source.add(new Customer(7, "n7"));
    long id = runOnce();

    assertThat(status(id)).isNotEqualTo(InstanceStatus.FINISHED);
    assertThat(target).hasSize(6);
  }

  @Test
  void nothingIsTakenAwayWhileARecordHasNoKey() {
    lacks(2);
    source.add(new Customer(null, "whose?"));
    long id = runOnce();

    assertThat(client().variables(id)).containsEntry(Etl.FAILED, "1");
    assertThat(target).containsKey("2");
    assertThat(log).isEmpty();
  }

  @Test
  void aSourceOfSeveralBatchesIsRefused() {
    lacks(2);
    next = "4";
    long id = runOnce();

    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(client().get(id).reason()).contains("one batch");
    assertThat(target).hasSize(6);
    assertThatThrownBy(() ->
            Etl.of("x", (ctx, position) -> new Batch<>(List.of(), null))
                .deleted(101, (ctx, keys) -> keys))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("101 %");
  }
}
