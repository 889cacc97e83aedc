package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.store.ContinuousStore;
import io.millrace.testing.MemoryStore;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of many workflows, and of many runs of one workflow. */
@Timeout(300)
@Tag("races")
class ManyContinuousWorkflowsTest extends ContinuousFixture {

  private static final int MANY = 10_000;
  private static final int RUNS = 1_000;
  private static final int SECONDS = 600;
  private static final long MAX_BYTES = 200_000_000;

  private static final WorkflowDefinition EVENTS =
      WorkflowDefinition.of("events").start("do", context -> Next.done("done")).build();

  private static ContinuousWorkflow[] workflows(int count, Trigger trigger) {
    return IntStream.range(0, count)
        .mapToObj(i -> ContinuousWorkflow.of("w" + i, trigger).runs(EVENTS))
        .toArray(ContinuousWorkflow[]::new);
  }

  private int statements(int count) {
    run(workflows(count, new TestTrigger()));
    advance(Duration.ofMinutes(2));
    AtomicInteger calls = new AtomicInteger();
    for (Method method : ContinuousStore.class.getMethods()) {
      store.watch(method.getName(), args -> calls.incrementAndGet());
    }
    advance(Duration.ofSeconds(SECONDS));
    assertThat(workflows().list(ContinuousStore.Filter.ALL, null, count))
        .hasSize(count)
        .allMatch(row -> row.ownership().executorId() != null);
    engine.close();
    return calls.get();
  }

  @Test
  void tenThousandIdleWorkflowsCostAsManyStatementsAsTen() {
    int few = statements(10);
    int many = statements(MANY);
    assertThat(many).isEqualTo(few).isBetween(SECONDS, SECONDS * 5 / 4);
  }

  private static final class Idle implements Trigger {
    private final CountDownLatch asked;

    Idle(int times) {
      this.asked = new CountDownLatch(times);
    }

    @Override
    public String describe() {
      return "nothing";
    }

    @Override
    public Source open(TriggerContext scope) {
      return () -> {
        asked.countDown();
        return PollResult.waitFor(Duration.ofHours(1));
      };
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("millrace"))
        .collect(Collectors.toSet());
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static Engine live(ContinuousWorkflow... workflows) {
    return Engine.builder()
        .store(new MemoryStore(InstantSource.system()))
        .continuous(workflows)
        .start();
  }

  @Test
  void tenThousandIdleWorkflowsHaveNoThreadsOfTheirOwnAndLittleMemory() throws Exception {
    long before = used();
    Idle trigger = new Idle(MANY);
    try (Engine engine = live(workflows(MANY, trigger))) {
      assertThat(trigger.asked.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(threads())
          .filteredOn(name -> !name.startsWith("millrace-chunk"))
          .hasSizeLessThan(25);
      long bytes = used() - before;
      System.out.println(MANY + " idle continuous workflows take " + bytes / 1_000 + " kB");
      assertThat(bytes).isLessThan(MAX_BYTES);
      assertThat(engine.continuous().list(ContinuousStore.Filter.ALL, null, 1)).hasSize(1);
    }
  }

  @Test
  void manyContinuationsLeaveNothingOfTheFormerRuns() {
    List<WeakReference<Object>> sources = new ArrayList<>();
    Trigger trigger =
        new Trigger() {
          @Override
          public String describe() {
            return "heavy";
          }

          @Override
          public Source open(TriggerContext scope) {
            Source source = new Heavy(feed.open(scope));
            sources.add(new WeakReference<>(source));
            return source;
          }
        };
    run(
        ContinuousSettings.defaults()
            .continuation(new ContinuationPolicy(true, Duration.ZERO, Duration.ofSeconds(2))),
        ContinuousWorkflow.of(NAME, trigger).handler(handler));
    for (int i = 0; i < RUNS; i++) {
      feed.addEvent("e" + i);
      advance(Duration.ofSeconds(2));
    }
    advance(Duration.ofSeconds(4));
    assertThat(row().run().generation()).isEqualTo(RUNS + 1);
    assertThat(row().ownership().epoch()).isEqualTo(1);
    assertThat(handled).hasSize(RUNS);
    for (int i = 0; i < 50 && held(sources) > 1; i++) {
      System.gc();
    }
    assertThat(held(sources)).isLessThanOrEqualTo(1);
  }

  private static long held(List<WeakReference<Object>> sources) {
    return sources.stream().filter(one -> one.get() != null).count();
  }

  private record Heavy(Trigger.Source source, ByteBuffer weight) implements Trigger.Source {
    Heavy(Trigger.Source source) {
      this(source, ByteBuffer.allocate(100_000));
    }

    @Override
    public PollResult poll() throws Exception {
      return source.poll();
    }

    @Override
    public void close() {
      source.close();
    }
  }

  @Test
  void aPollThatBlocksHoldsUpNoNeighbourAndNoStop() throws Exception {
    CountDownLatch forEver = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Trigger blocking =
        new Trigger() {
          @Override
          public String describe() {
            return "blocking";
          }

          @Override
          public Source open(TriggerContext scope) {
            return () -> {
              blocked.countDown();
              forEver.await();
              return PollResult.untilWoken();
            };
          }
        };
    feed.events.add("a");
    MemoryStore memory = new MemoryStore(InstantSource.system());
    Engine live =
        Engine.builder()
            .store(memory)
            .continuous(
                ContinuousSettings.defaults()
                    .polls(new ContinuousSettings.PollSettings(1, Duration.ofMillis(100))))
            .continuous(
                ContinuousWorkflow.of("blocking", blocking).handler(handler),
                ContinuousWorkflow.of("later", feed)
                    .handler((context, event) -> {
                      done.countDown();
                      return Next.done("done");
                    }))
            .start();
    assertThat(blocked.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    live.close();
    assertThat(memory.role(ContinuousStore.class).list(ContinuousStore.Filter.ALL, null, 10))
        .hasSize(2)
        .allMatch(row -> row.ownership().executorId() == null);
  }
}
