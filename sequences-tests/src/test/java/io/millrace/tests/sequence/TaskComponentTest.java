package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sequence.Chunk;
import io.millrace.sequence.ChunksFailedException;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.WorkflowTaskSubscriberHandler;
import io.millrace.store.SequenceStore.TaskVisit;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of tasks as classes, their phases, and their chunks. */
class TaskComponentTest extends SequenceFixture {

  private static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());

  private static final Set<Integer> FAILED = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void begin() {
    FAILED.clear();
    CALLS.clear();
  }

  /** A task as the page describes it. */
  public static final class KpiSubscriber extends WorkflowTaskSubscriberHandler {

    private int calls;

    public KpiSubscriber(String channel) {
      super(channel);
    }

    String sequence() {
      return task().sequenceId();
    }

    @Override
    public void initialize() {
      CALLS.add("initialize on " + channel());
    }

    @Override
    public void preProcess(TaskContext task) {
      CALLS.add("pre " + task.attempt());
    }

    @Override
    protected void handleTaskExecution(String message) {
      calls++;
      CALLS.add("handle " + calls + " " + message.contains("\"isWorkflowTaskRetry\":true"));
      statusLog = "seen " + sequence();
      if (!task().isRetry()) {
        throw new IllegalArgumentException("not yet");
      }
    }

    @Override
    public void postProcess(TaskContext task) {
      CALLS.add("post");
    }

    @Override
    public void onError(TaskContext task, Throwable failure) {
      CALLS.add("error " + failure.getMessage());
      throw new IllegalStateException("the error phase fails too");
    }
  }

  @Test
  void aTaskAsAClassGoesThroughItsPhases() {
    run(builder ->
        builder.task(Task.of("KPI", TYPE).channel("a.kpi").component(KpiSubscriber.class)));
    sequences().add(sequence(DAILY, "KPI"));

    engine.advance(Duration.ofDays(1));

    assertThat(CALLS)
        .containsExactly(
            "initialize on a.kpi",
            "pre 1",
            "handle 1 false",
            "error not yet",
            "pre 2",
            "handle 1 true",
            "post");
    assertThat(history())
        .singleElement()
        .satisfies(visit -> {
          assertThat(visit.status()).isEqualTo("COMPLETED");
          assertThat(visit.statusLog()).isEqualTo("seen " + ID);
          assertThat(visit.retries()).isEqualTo(1);
        });
  }

  @Test
  void whatAFailedAttemptSaidIsInTheHistory() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE).options(new Task.Options(0, null, null, false, 0, Map.of())),
            task -> {
              task.statusLog("12 of 20 done");
              throw new OutOfMemoryError("no room");
            }));
    sequences().add(sequence(DAILY, "KPI"));

    engine.advance(Duration.ofDays(1));

    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(history())
        .extracting(TaskVisit::statusLog)
        .allSatisfy(
            text -> assertThat(text).contains("12 of 20 done", "OutOfMemoryError: no room"));
  }

  /** A failure that is caused by the stop is not reported as the reason. */
  @Test
  void aTaskThatTimedOutHasFailedAndItsStatusLogNamesTheTimeout() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE).options(new Task.Options(0, null, 5_000L, false, 0, Map.of())),
            task -> {
              engine.clock().advance(Duration.ofMillis(5_500));
              engine.runDue();
              throw new IllegalStateException("interrupted");
            }));
    sequences().add(sequence(DAILY, "KPI").active(false));
    sequences().run(ID, Map.of(), BY_ANN);

    engine.runUntilIdle();

    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(history())
        .singleElement()
        .satisfies(visit ->
            assertThat(visit.statusLog())
                .containsSubsequence(
                    "The task was stopped: ", "the timeout of PT5S has passed", "interrupted"));
  }

  @Test
  void theContextOfAClassIsThereOnlyWhileItIsExecuted() {
    assertThatThrownBy(() -> new KpiSubscriber("c").sequence())
        .hasMessageContaining("not executed");
  }

  @Test
  void aClassThatIsNoTaskIsToldApart() {
    run(builder -> builder.task(Task.of("KPI", TYPE).component("java.lang.String")));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(Duration.ofDays(1));

    assertThat(executions()).singleElement().satisfies(w -> assertThat(w.seq()).isZero());
  }

  private void chunked(int chunks) {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> {
              List<Chunk<Integer>> work =
                  IntStream.range(0, chunks)
                      .mapToObj(i -> new Chunk<>("chunk-" + i, () -> chunk(i)))
                      .toList();
              log.add(task.chunks(Integer.class, work).toString());
            }));
    sequences().add(sequence(DAILY, "KPI"));
  }

  private static Integer chunk(int number) {
    CALLS.add("" + number);
    if (number % 4 == 3 && FAILED.add(number)) {
      throw new IllegalStateException("chunk " + number);
    }
    return number * 10;
  }

  @Test
  void aPlaceOfClassesThatFailsKeepsNothingElseFromRunning() {
    run(builder ->
        builder
            .components(name -> {
              throw new IllegalStateException("the folder is gone");
            })
            .task(Task.of("KPI", TYPE), logging("KPI")));
    sequences().tasks().add(Task.of("LOST", TYPE).component("com.example.Lost"));
    sequences().add(sequence("A_lost", DAILY, "LOST"));
    sequences().add(sequence("Z_fine", DAILY, "KPI"));

    advanceTo("2026-01-06T00:05:00Z");

    assertThat(log).hasSize(1);
  }

  @Test
  void librariesFindTheClassesOfTheTasksOwnJar() throws IOException {
    try (URLClassLoader jar = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
      TaskHandler handler =
          (TaskHandler)
              Proxy.newProxyInstance(
                  jar,
                  new Class<?>[] {TaskHandler.class},
                  (proxy, method, args) ->
                      switch (method.getName()) {
                        case "execute" -> askForTheLoader((TaskContext) args[0], jar);
                        case "cpuBound" -> false;
                        case "hashCode" -> 1;
                        case "equals" -> args[0] instanceof TaskHandler;
                        default -> null;
                      });
      run(builder -> builder.task(Task.of("KPI", TYPE), handler));
      sequences().add(sequence(DAILY, "KPI"));

      engine.advance(DAY);

      assertThat(log).containsExactly("task true", "chunk true");
    }
  }

  private @Nullable Object askForTheLoader(TaskContext task, ClassLoader jar) throws Exception {
    log.add("task " + isLoader(jar));
    task.chunks(
        Boolean.class, List.of(new Chunk<>("one", () -> log.add("chunk " + isLoader(jar)))));
    return null;
  }

  private static boolean isLoader(ClassLoader expected) {
    return expected.equals(Thread.currentThread().getContextClassLoader());
  }

  @Test
  void aRetryRepeatsOnlyTheChunksThatFailed() {
    chunked(8);

    engine.advance(Duration.ofDays(1));

    assertThat(log).containsExactly("[0, 10, 20, 30, 40, 50, 60, 70]");
    assertThat(CALLS).hasSize(10);
    assertThat(CALLS.subList(8, 10)).containsExactlyInAnyOrder("3", "7");
    var progress = engine.client().get(execution()).progress();
    assertThat(progress.done()).isEqualTo(8);
    assertThat(progress.total()).isEqualTo(8);
  }

  @Test
  void moreChunksThanThePoolHasRoomForRunToo() {
    chunked(500);

    engine.advance(Duration.ofDays(1));

    assertThat(CALLS).hasSize(500 + 125);
  }

  @Test
  void noChunksAreNoWork() {
    chunked(0);

    engine.advance(Duration.ofDays(1));

    assertThat(log).containsExactly("[]");
  }

  @Test
  void chunksWithoutNamesOfTheirOwnAreRefused() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE).options(new Task.Options(0, null, null, false, 0, Map.of())),
            task ->
                task.chunks(
                    Integer.class, List.of(new Chunk<>("a", () -> 1), new Chunk<>("a", () -> 2)))));
    sequences().add(sequence(DAILY, "KPI"));

    engine.advance(Duration.ofDays(1));

    assertThat(engine.client().get(execution()).reason()).contains("Two chunks have the name 'a'");
  }

  @Test
  void theFailureNamesTheChunks() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE).options(new Task.Options(0, null, null, false, 0, Map.of())),
            task -> {
              try {
                task.chunks(
                    Integer.class,
                    List.of(
                        new Chunk<>("fine", () -> 1),
                        new Chunk<>("bad", () -> Integer.parseInt("x"))));
              } catch (ChunksFailedException e) {
                log.add(e.failures().keySet() + " " + e.getMessage());
                throw e;
              }
            }));
    sequences().add(sequence(DAILY, "KPI"));

    engine.advance(Duration.ofDays(1));

    assertThat(log).singleElement().asString().startsWith("[bad] 1 of 2 chunks failed");
  }
}
