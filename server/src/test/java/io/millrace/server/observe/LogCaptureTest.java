package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.Engine;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.LogLine;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.lifecycle.Waiter;
import io.millrace.retry.RetryPolicy;
import io.millrace.server.LongLease;
import io.millrace.server.Patience;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.store.LogStore;
import io.millrace.store.StoreException;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class LogCaptureTest {

  private static final Logger LOG = LoggerFactory.getLogger("com.example.Shop");
  private static final ObservabilityConfig.Logs ROOMY =
      new ObservabilityConfig.Logs(200, 4000, 64_000);

  private final MemoryStore store = new MemoryStore(EngineClock.system());
  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void whatAHandlerLogsBelongsToItsAttempt() {
    long id =
        run(
            ROOMY,
            ctx -> {
              LOG.warn("reserving {} pieces", 3);
              if (ctx.attempt() == 1) {
                throw new IllegalStateException("no stock");
              }
              LOG.error("odd", new IllegalArgumentException("cause"));
              return Next.done("reserved");
            });

    List<LogLine> lines = store.logs().lines(id, 0, 100);
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst())
        .satisfies(first -> {
          assertThat(first.level()).isEqualTo("WARN");
          assertThat(first.logger()).isEqualTo("com.example.Shop");
          assertThat(first.message()).isEqualTo("reserving 3 pieces");
          assertThat(first.place().state()).isEqualTo("reserve");
          assertThat(first.place().executorId()).isNotNull();
        });
    assertThat(lines).extracting(line -> line.place().attempt()).containsExactly(1, 2, 2);
    assertThat(lines).extracting(line -> line.place().seq()).containsExactly(1, 2, 2);
    assertThat(lines.getLast().message())
        .startsWith("odd\njava.lang.IllegalArgumentException: cause")
        .contains("at io.millrace.server.observe.LogCaptureTest");
  }

  @Test
  void theSecretsOfTheAttemptAreNotKept() {
    long id =
        run(
            new ObservabilityConfig.Logs(10, 20, 1000),
            ctx -> {
              ctx.set("card", "4111 1111 1111 1111");
              LOG.warn("pays with {}", ctx.get("card", String.class));
              Thread helper = new Thread(withMarks(() -> LOG.warn("4111+1111+1111+1111")));
              helper.start();
              helper.join();
              return Next.done("paid");
            });

    assertThat(messages(id)).containsExactly("pays with ***", "***");
  }

  private static Runnable withMarks(Runnable work) {
    Map<String, String> marks = MDC.getCopyOfContextMap();
    return () -> {
      MDC.setContextMap(marks);
      work.run();
    };
  }

  @Test
  void theLastLineSaysHowManyWereOverTheLimits() {
    long id =
        run(
            new ObservabilityConfig.Logs(2, 100, 1000),
            ctx -> {
              for (int i = 1; i <= 5; i++) {
                LOG.warn("line {}", i);
              }
              return Next.done("logged");
            });
    assertThat(messages(id))
        .containsExactly(
            "line 1", "line 2", "3 more lines were logged in this attempt and not kept here");
    assertThat(count("stored")).isEqualTo(3);
    assertThat(count("dropped")).isEqualTo(3);
  }

  @Test
  void aLongLineIsCutAtItsBytesAndAnAttemptAtIts() {
    long id =
        run(
            new ObservabilityConfig.Logs(10, 20, 45),
            ctx -> {
              LOG.warn("ä".repeat(100));
              LOG.warn("b".repeat(20));
              LOG.warn("c".repeat(10));
              return Next.done("logged");
            });
    assertThat(messages(id))
        .containsExactly(
            "ä".repeat(8) + " ...",
            "b".repeat(20),
            "1 more line was logged in this attempt and not kept here");
  }

  @Test
  void noLinesAtAllAreKeptWhereTheLimitIsZero() {
    long id =
        run(
            new ObservabilityConfig.Logs(0, 100, 1000),
            ctx -> {
              LOG.warn("unheard");
              return Next.done("logged");
            });
    assertThat(messages(id)).isEmpty();
  }

  @Test
  void helperThreadsAreHeardWhenTheyTakeTheMarksAlong() {
    long id =
        run(
            ROOMY,
            ctx -> {
              Map<String, String> marks = MDC.getCopyOfContextMap();
              Thread helper =
                  Thread.ofPlatform()
                      .start(() -> {
                        LOG.warn("without");
                        MDC.setContextMap(marks);
                        LOG.warn("with");
                      });
              helper.join();
              return Next.done("helped");
            });
    assertThat(messages(id)).containsExactly("with");
  }

  @Test
  void whatLooksLikeACredentialIsMasked() {
    long id =
        run(
            ROOMY,
            ctx -> {
              LOG.warn("login with password=hunter2 done");
              LOG.warn("Authorization: Bearer abcdefghijkl.mnop");
              LOG.warn("{\"apiKey\": \"k-123\", \"id\": 7}");
              LOG.warn("fetch https://anna:s3cret@shop.example/x");
              return Next.done("logged");
            });
    assertThat(messages(id))
        .containsExactly(
            "login with password=*** done",
            "Authorization: Bearer ***",
            "{\"apiKey\": \"***\", \"id\": 7}",
            "fetch https://anna:***@shop.example/x");
  }

  /** The writer never runs here, so the queue of two is full after two lines. */
  @Test
  void aHandlerNeverWaitsForTheDatabase() {
    LogCapture capture =
        new LogCapture(store.logs(), ROOMY, 2, runtime(new IdleRunner()), registry);
    long id =
        run(
            capture,
            ctx -> {
              for (int i = 1; i <= 5; i++) {
                LOG.warn("line {}", i);
              }
              return Next.done("logged");
            });
    assertThat(messages(id)).containsExactly("line 1", "line 2");
    assertThat(count("dropped")).isEqualTo(4);
  }

  @Test
  void aDatabaseThatIsAwayHoldsUpNobody() {
    LogStore away =
        new LogStore() {
          @Override
          public void append(List<LogLine> lines) {
            throw new StoreException("away", false, null);
          }

          @Override
          public List<LogLine> lines(long instanceId, long afterId, int limit) {
            return List.of();
          }
        };
    run(
        new LogCapture(away, ROOMY, 10, runtime(new IdleRunner()), registry),
        ctx -> {
          LOG.warn("lost");
          return Next.done("logged");
        });
    assertThat(count("stored")).isZero();
    assertThat(count("dropped")).isEqualTo(1);
  }

  private long run(ObservabilityConfig.Logs limits, StateHandler handler) {
    return run(new LogCapture(store.logs(), limits, EngineRuntime.system(), registry), handler);
  }

  private long run(LogCapture capture, StateHandler handler) {
    WorkflowDefinition shop =
        WorkflowDefinition.of("shop")
            .start("reserve", handler)
            .secret("card")
            .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(3))
            .build();
    try (capture) {
      capture.attach();
      try (Engine engine =
          Engine.builder()
              .store(store)
              .workflows(shop)
              .secretKey(SecretKeys.of("key", new byte[SecretKeys.LENGTH]))
              .interceptor(capture)
              .listener(capture)
              .settings(LongLease::of)
              .start()) {
        long id = engine.client().start(StartRequest.of("shop")).id();
        assertThat(engine.client().await(id, Patience.LIMIT).status().isTerminal()).isTrue();
        return id;
      }
    }
  }

  private List<String> messages(long id) {
    return store.logs().lines(id, 0, 100).stream().map(LogLine::message).toList();
  }

  private double count(String outcome) {
    return registry.get("millrace.log.lines").tag("outcome", outcome).counter().count();
  }

  private static EngineRuntime runtime(Runner runner) {
    return new EngineRuntime(EngineClock.system(), runner, new Random(1));
  }

  /** A runner that never runs its loops. */
  private static final class IdleRunner implements Runner {
    private final Runner real = new ThreadRunner();

    @Override
    public Loop loop(String name, Loop.Work work) {
      return new Loop() {
        @Override
        public void wake() {}

        @Override
        public boolean stop(Duration patience) {
          return true;
        }
      };
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      return real.run(name, task);
    }

    @Override
    public Waiter waiter() {
      return real.waiter();
    }
  }
}
