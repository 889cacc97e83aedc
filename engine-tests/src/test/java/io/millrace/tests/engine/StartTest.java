package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.instance.StatusReason;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of starting instances. */
class StartTest extends EngineFixture {

  private final WorkflowDefinition job =
      job(
              ctx -> {
                log.add(ctx.find("n", Integer.class).map(n -> "" + n).orElse("?"));
                return Next.moveTo("end", "x");
              })
          .build();

  @BeforeEach
  void startEngine() {
    run(job);
  }

  private static WorkflowDefinition version(int number) {
    return WorkflowDefinition.of("pinned")
        .version(number)
        .start("a", ctx -> Next.moveAfter("b", Duration.ofHours(1), "v" + number))
        .state("b", ctx -> Next.done("v" + number))
        .build();
  }

  @Test
  void anUnknownTypeIsRefused() {
    assertThatThrownBy(() -> start("nobody"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'nobody'")
        .hasMessageContaining("builder");
  }

  @Test
  void anUnknownVersionIsRefused() {
    assertThatThrownBy(() -> start(StartRequest.of("job").version(2)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'job' version 2");
  }

  @Test
  void anInstanceKeepsItsVersionAndNewOnesGetTheNewest() {
    run(version(1), version(2));
    long old = start(StartRequest.of("pinned").version(1));
    long newest = start("pinned");
    engine.advance(Duration.ofHours(2));
    assertThat(get(old).version()).isEqualTo(1);
    assertThat(get(newest).version()).isEqualTo(2);
    assertThat(history(old)).extracting(a -> a.outcome().reason()).containsExactly("v1", "v1");
    assertThat(history(newest)).extracting(a -> a.outcome().reason()).containsExactly("v2", "v2");
  }

  @Test
  void anEngineWithoutAVersionNeverClaimsIt() {
    List<Store> shared = new ArrayList<>();
    run(
        ManualEngine.defaultSettings().runsInstances(false),
        clock -> {
          shared.add(new MemoryStore(clock));
          return shared.getFirst();
        },
        version(1));
    long id = start("pinned");
    ManualEngine other =
        ManualEngine.with(ManualEngine.defaultSettings(), clock -> shared.getFirst(), version(2));
    other.advance(Duration.ofMinutes(5));
    assertThat(status(id)).isEqualTo(InstanceStatus.CREATED);
    assertThat(client().statusReason(id))
        .isEqualTo(new StatusReason.NoMatchingExecutor("pinned", 1, "millrace"));
    assertThat(client().statusReason(id).sentence()).contains("'pinned' version 1", "Start one");
    assertThat(client().definitions()).extracting(d -> d.version()).containsExactly(1, 2);
  }

  @Test
  void anEngineWithoutTheCodeStartsWhatOthersRun() {
    List<Store> shared = new ArrayList<>();
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          shared.add(new MemoryStore(clock));
          return shared.getFirst();
        },
        job);
    ManualEngine codeless =
        ManualEngine.with(ManualEngine.defaultSettings(), clock -> shared.getFirst());
    long id = codeless.client().start(StartRequest.of("job")).id();
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aFutureStartWaitsForItsTime() {
    Instant time = ManualEngine.START.plus(Duration.ofDays(2));
    long id = start(StartRequest.of("job").at(time));
    engine.advance(Duration.ofDays(2).minusSeconds(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.CREATED);
    engine.advance(Duration.ofSeconds(1));
    assertThat(last(id).span().ended()).isEqualTo(time);
  }

  @Test
  void aDelayedStartWaitsForItsTime() {
    long id = start(StartRequest.of("job").after(Duration.ofSeconds(30)));
    assertThat(engine.runUntilIdle()).isZero();
    engine.advance(Duration.ofSeconds(30));
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9999-12-31T23:59:59Z", "2400-01-01T00:00:00Z"})
  void aStartInTheFarFutureOnlyWaits(String time) {
    long far = start(StartRequest.of("job").at(Instant.parse(time)));
    long now = start("job");
    engine.runUntilIdle();
    assertThat(status(far)).isEqualTo(InstanceStatus.CREATED);
    assertThat(status(now)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aMoveToTheFarFutureOnlyWaits() {
    run(
        job(ctx -> Next.moveAt("later", Instant.parse("9999-12-31T23:59:59Z"), "never"))
            .state("later", ctx -> Next.moveTo("end", "x"))
            .build(),
        version(1));
    long far = startAndRun();
    long other = start("pinned");
    engine.advance(Duration.ofHours(2));
    assertThat(get(far).state()).isEqualTo("later");
    assertThat(status(other)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void higherPrioritiesRunFirstAndEqualOnesByAge() {
    for (int priority : new int[] {0, 9, 4, 9, 0}) {
      start(
          StartRequest.of("job")
              .priority(priority)
              .variable("n", priority * 10 + log.size())
              .after(Duration.ofMinutes(1)));
    }
    engine.advance(Duration.ofMinutes(2));
    assertThat(log).containsExactly("90", "90", "40", "0", "0");
  }

  @Test
  void aRepeatedStartAnswersWithTheFirstInstance() {
    StartRequest request = StartRequest.of("job", "in").externalId("e").variable("n", 1);
    StartedInstance first = client().start(request);
    engine.runUntilIdle();
    assertThat(first.created()).isTrue();
    assertThat(client().start(request)).isEqualTo(new StartedInstance(first.id(), false));
    engine.runUntilIdle();
    assertThat(log).containsExactly("1");
  }

  @Test
  void anotherPayloadForTheSameExternalIdIsAConflict() {
    long id = start(StartRequest.of("job", "in").externalId("e"));
    assertThatThrownBy(() -> start(StartRequest.of("job", "other").externalId("e")))
        .isInstanceOfSatisfying(
            InstanceConflictException.class, e -> assertThat(e.instanceId()).isEqualTo(id))
        .hasMessageContaining("'e'")
        .hasMessageContaining("instance " + id);
  }

  @Test
  void theOrderOfVariablesDoesNotMakeAnotherPayload() {
    long id = start(StartRequest.of("job").externalId("e").variable("a", 1).variable("b", 2));
    assertThat(start(StartRequest.of("job").externalId("e").variable("b", 2).variable("a", 1)))
        .isEqualTo(id);
  }

  @Test
  void aBatchWithOneInvalidRequestStartsNothing() {
    assertThatThrownBy(
            () -> client().startAll(List.of(StartRequest.of("job"), StartRequest.of("nobody"))))
        .isInstanceOf(InvalidRequestException.class);
    assertThat(client().search(InstanceQuery.all()).items()).isEmpty();
  }

  @Test
  void aBatchWithOneConflictStartsAllTheOthers() {
    start(StartRequest.of("job", 1).externalId("e"));
    assertThatThrownBy(() ->
            client()
                .startAll(
                    List.of(StartRequest.of("job"), StartRequest.of("job", 2).externalId("e"))))
        .isInstanceOf(ConflictException.class);
    assertThat(client().search(InstanceQuery.all()).items()).hasSize(2);
  }

  @Test
  void tenThousandAreStartedInOneBatchAndAllRun() {
    List<StartedInstance> started =
        client()
            .startAll(
                IntStream.range(0, 10_000)
                    .mapToObj(i -> StartRequest.of("job").variable("n", i))
                    .toList());
    assertThat(started)
        .extracting(StartedInstance::id)
        .isSorted()
        .doesNotHaveDuplicates()
        .hasSize(10_000);
    assertThat(engine.runUntilIdle()).isEqualTo(10_000);
    assertThat(log).hasSize(10_000).doesNotHaveDuplicates();
  }

  @Test
  void anEmptyBatchIsFine() {
    assertThat(client().startAll(List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\0b", "A-\uD83D", "\uDE00"})
  void badKeysAreRefused(String key) {
    assertThatThrownBy(() -> start(StartRequest.of("job").businessKey(key)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("business key");
    assertThatThrownBy(() -> start(StartRequest.of("job").externalId(key)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("external id");
    assertThatThrownBy(() -> start(StartRequest.of("job").variable(key, 1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("variable name");
  }

  @Test
  void keysHaveAtMostTwoHundredCharacters() {
    assertThat(get(start(StartRequest.of("job").externalId("x".repeat(200)))).origin().externalId())
        .hasSize(200);
    assertThatThrownBy(() -> start(StartRequest.of("job").externalId("x".repeat(201))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("1 to 200");
  }

  @Test
  void anEngineThatRunsNoInstancesStartsThem() {
    run(ManualEngine.defaultSettings().runsInstances(false), job);
    long id = start("job");
    assertThat(engine.advance(Duration.ofHours(1))).isZero();
    assertThat(status(id)).isEqualTo(InstanceStatus.CREATED);
    assertThat(engine.engine().executorId()).isNull();
    assertThat(client().executors("millrace")).isEmpty();
  }

  @Test
  void inputAndVariablesCanBeRead() {
    long id = start(StartRequest.of("job", List.of(1, 2)).variable("n", 3));
    assertThat(client().input(id, List.class)).contains(List.of(1, 2));
    assertThat(client().variable(id, "n", Integer.class)).contains(3);
    assertThat(client().variable(id, "m", Integer.class)).isEmpty();
  }
}
