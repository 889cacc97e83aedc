package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.Etl;
import io.millrace.continuous.Etl.Batch;
import io.millrace.data.ReducedRecord;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a workflow that extracts, reduces, loads in chunks, and commits the loaded records. */
class EtlTest extends EngineFixture {

  record Customer(int id, String name) {}

  private static final int PAGE = 4;

  private final List<Customer> customers = new ArrayList<>();
  private final Set<Integer> refused = new TreeSet<>();
  private int callsUntilDeath = Integer.MAX_VALUE;

  @BeforeEach
  void begin() {
    for (int id = 1; id <= 6; id++) {
      customers.add(new Customer(id, "n" + id));
    }
    run(etl());
  }

  private WorkflowDefinition etl() {
    return Etl.of("customers", this::extract)
        .reduce(reduce -> reduce.key("/id"))
        .chunks(2)
        .into(this::load);
  }

  private Batch<Customer> extract(StateContext ctx, String position) {
    int from = position == null ? 0 : Integer.parseInt(position);
    int to = Math.min(from + PAGE, customers.size());
    log.add("from " + from);
    return new Batch<>(customers.subList(from, to), to == customers.size() ? null : "" + to);
  }

  private List<ReducedRecord<Customer>> load(
      StateContext ctx, List<ReducedRecord<Customer>> chunk) {
    if (--callsUntilDeath == 0) {
      throw new IllegalStateException("the target is away");
    }
    log.add("load " + chunk.stream().map(r -> r.value().id()).toList());
    return chunk.stream().filter(r -> !refused.contains(r.value().id())).toList();
  }

  private long runOnce() {
    long id = start(StartRequest.of("customers").businessKey("shop"));
    engine.runUntilIdle();
    return id;
  }

  @Test
  void everythingIsLoadedOnceAndThenOnlyWhatChanged() {
    long first = runOnce();
    assertThat(log)
        .containsExactly("from 0", "load [1, 2]", "load [3, 4]", "from 4", "load [5, 6]");
    assertThat(client().variables(first)).containsEntry(Etl.LOADED, "6");
    assertThat(client().get(first).position().reason())
        .isEqualTo("6 of 6 records loaded, 0 failed");
    log.clear();
    customers.set(2, new Customer(3, "other"));

    long second = runOnce();

    assertThat(log).containsExactly("from 0", "load [3]", "from 4");
    assertThat(client().variables(second))
        .containsEntry(Etl.LOADED, "1")
        .containsEntry(Etl.PASSED_OVER, "5");
    assertThat(client().get(second).position().reason())
        .isEqualTo("1 of 6 records loaded, 0 failed");
  }

  @Test
  void whatWasRefusedComesAgainWithTheNextRun() {
    refused.add(4);
    long first = runOnce();
    assertThat(status(first)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(client().variables(first)).containsEntry(Etl.FAILED, "1");
    log.clear();
    refused.clear();

    runOnce();

    assertThat(log).containsExactly("from 0", "load [4]", "from 4");
  }

  @Test
  void anAttemptThatDiesDoesNotLoadItsChunksAgain() {
    callsUntilDeath = 2;
    runOnce();
    engine.advance(Duration.ofMinutes(1));

    assertThat(log)
        .containsExactly("from 0", "load [1, 2]", "from 0", "load [3, 4]", "from 4", "load [5, 6]");
  }

  @Test
  void aLaterRunGoesOnAtTheLastBatch() {
    callsUntilDeath = 3;
    long first = runOnce();
    client().cancel(first, BY_ANN);
    log.clear();

    runOnce();

    assertThat(log).containsExactly("from 4", "load [5, 6]");
    log.clear();
    runOnce();
    assertThat(log).containsExactly("from 0", "from 4");
  }

  @Test
  void aRunThatStartsAgainDoesNotGoOnWhereAnotherStopped() {
    callsUntilDeath = 3;
    client().cancel(runOnce(), BY_ANN);
    log.clear();

    callsUntilDeath = 1;
    start(StartRequest.of("customers").businessKey("shop").resume(false));
    engine.runUntilIdle();
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("from 0", "from 4", "from 4", "load [5, 6]");
    log.clear();
    runOnce();
    assertThat(log).containsExactly("from 0", "from 4");
  }

  @Test
  void anOlderRunThatStartsAgainDoesNotForgetWhereANewerOneIs() {
    StartRequest fromTheBeginning = StartRequest.of("customers").businessKey("shop").resume(false);
    start(fromTheBeginning.after(Duration.ofHours(1)));
    callsUntilDeath = 3;
    long newer = start(fromTheBeginning);
    engine.runUntilIdle();
    client().cancel(newer, BY_ANN);
    log.clear();

    engine.advance(Duration.ofHours(1));

    assertThat(log).containsExactly("from 4", "load [5, 6]");
  }
}
