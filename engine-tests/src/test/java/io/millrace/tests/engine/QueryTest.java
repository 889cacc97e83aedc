package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of searches for instances. */
class QueryTest extends EngineFixture {

  @BeforeEach
  void startEngine() {
    run(
        job(ctx -> Next.moveTo("end", "x")).build(),
        WorkflowDefinition.of("other").start("a", ctx -> Next.fail("x")).build());
  }

  private List<Long> ids(InstanceQuery query) {
    return client().search(query).items().stream().map(WorkflowInstance::id).toList();
  }

  @Test
  void byTypeStateAndStatus() {
    long job = start("job");
    long other = start("other");
    engine.runUntilIdle();
    long later = start(StartRequest.of("job").after(Duration.ofHours(1)));
    assertThat(ids(InstanceQuery.all())).containsExactly(later, other, job);
    assertThat(ids(InstanceQuery.all().type("job"))).containsExactly(later, job);
    assertThat(ids(InstanceQuery.all().state("a"))).containsExactly(other);
    assertThat(ids(InstanceQuery.all().status(InstanceStatus.FAILED))).containsExactly(other);
    assertThat(ids(InstanceQuery.all().status(InstanceStatus.FINISHED, InstanceStatus.CREATED)))
        .containsExactly(later, job);
    assertThat(ids(InstanceQuery.all().type("job").state("a"))).isEmpty();
  }

  @Test
  void executingOnesAreFoundAsSuch() {
    List<List<Long>> found = new ArrayList<>();
    run(
        job(
                ctx -> {
                  found.add(ids(InstanceQuery.all().status(InstanceStatus.EXECUTING)));
                  found.add(ids(InstanceQuery.all().status(InstanceStatus.CREATED)));
                  return Next.moveTo("end", "x");
                })
            .build());
    long id = startAndRun();
    assertThat(found).containsExactly(List.of(id), List.of());
  }

  @Test
  void byKeys() {
    long one = start(StartRequest.of("job").businessKey("b").externalId("1"));
    long two = start(StartRequest.of("job").businessKey("b").externalId("2"));
    start(StartRequest.of("job").businessKey("B"));
    assertThat(ids(InstanceQuery.all().businessKey("b"))).containsExactly(two, one);
    assertThat(ids(InstanceQuery.all().externalId("1"))).containsExactly(one);
    assertThat(ids(InstanceQuery.all().businessKey("b").externalId("3"))).isEmpty();
  }

  @Test
  void byVariable() {
    long text = start(StartRequest.of("job").variable("v", "1"));
    long number = start(StartRequest.of("job").variable("v", 1));
    start(StartRequest.of("job").variable("w", 1));
    assertThat(ids(InstanceQuery.all().variable("v", 1))).containsExactly(number);
    assertThat(ids(InstanceQuery.all().variable("v", "1"))).containsExactly(text);
  }

  @Test
  void byTimeOfStartAndOfLastChange() {
    Instant zero = ManualEngine.START;
    long first = start(StartRequest.of("job").after(Duration.ofMinutes(5)));
    engine.advance(Duration.ofMinutes(1));
    long second = start(StartRequest.of("job").after(Duration.ofMinutes(9)));
    engine.advance(Duration.ofMinutes(6));
    assertThat(ids(InstanceQuery.all().createdBetween(zero, zero.plusSeconds(60))))
        .containsExactly(first);
    assertThat(ids(InstanceQuery.all().createdBetween(zero.plusSeconds(60), null)))
        .containsExactly(second);
    assertThat(ids(InstanceQuery.all().modifiedBetween(zero.plusSeconds(300), null)))
        .containsExactly(first);
    assertThat(ids(InstanceQuery.all().modifiedBetween(null, zero.plusSeconds(300))))
        .containsExactly(second);
  }

  @Test
  void aCursorWalksOverAllOnce() {
    client().startAll(IntStream.range(0, 2_500).mapToObj(i -> StartRequest.of("job")).toList());
    List<Long> seen = new ArrayList<>();
    String cursor = null;
    do {
      Page<WorkflowInstance> page = client().search(InstanceQuery.all().limit(400).after(cursor));
      page.items().forEach(i -> seen.add(i.id()));
      cursor = page.next();
      start("job");
    } while (cursor != null);
    assertThat(seen).hasSize(2_500).doesNotHaveDuplicates();
    assertThat(seen).isSortedAccordingTo((a, b) -> Long.compare(b, a));
  }

  @Test
  void theLastFullPageHasNoNext() {
    client().startAll(IntStream.range(0, 10).mapToObj(i -> StartRequest.of("job")).toList());
    assertThat(client().search(InstanceQuery.all().limit(10)).next()).isNull();
    assertThat(client().search(InstanceQuery.all().limit(9)).next()).isNotNull();
  }

  @Test
  void aForeignCursorIsRefused() {
    assertThatThrownBy(() -> client().search(InstanceQuery.all().after("nonsense")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("nonsense");
  }

  @Test
  void historyComesInPages() {
    run(
        job(ctx -> ctx.idempotencyKey().endsWith("-25") ? Next.done("x") : Next.moveTo("work", "x"))
            .build());
    long id = startAndRun();
    assertThat(client().history(id, 0, 10)).extracting(a -> a.seq()).endsWith(10).hasSize(10);
    assertThat(client().history(id, 20, 10)).extracting(a -> a.seq()).startsWith(21).hasSize(6);
    assertThat(client().history(404)).isEmpty();
  }
}
