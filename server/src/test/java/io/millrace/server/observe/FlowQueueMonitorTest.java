package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import io.millrace.redis.admin.FlowView;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.admin.RegisteredQueue;
import io.millrace.redis.connect.RedisUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class FlowQueueMonitorTest {

  @AutoClose private final Metrics metrics = new Metrics();

  /** A runner that runs the rounds of its only loop by hand, the first one at once. */
  private static final class Rounds implements Runner {
    private final AtomicReference<Loop.Work> work = new AtomicReference<>();

    void next() {
      work.get().tick();
    }

    @Override
    public Loop loop(String name, Loop.Work given) {
      work.set(given);
      given.tick();
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
      throw new UnsupportedOperationException();
    }

    @Override
    public Waiter waiter() {
      throw new UnsupportedOperationException();
    }
  }

  static List<FlowView> pack(long waiting) {
    RegisteredQueue box = new RegisteredQueue("pack", "box", null, null, Duration.ofMinutes(3));
    return List.of(
        new FlowView(
            "pack",
            List.of(),
            List.of(
                new QueueView(
                    box,
                    new QueueView.JobCounts(waiting, 1, 0, 2, "j1", Duration.ofSeconds(12), 0),
                    null,
                    new QueueView.WorkerCounts(4, 1),
                    new QueueView.Throughput(70, 5, 0, 0),
                    new QueueView.ExpiredJobs(6, Instant.EPOCH),
                    null))));
  }

  static FlowQueueMonitor watching(MeterRegistry registry, List<FlowView> flows) {
    return new FlowQueueMonitor(() -> flows, new Rounds(), registry, InstantSource.system());
  }

  private double value(String sample) {
    return PrometheusExposition.parse(metrics.scrape()).samples().get(sample);
  }

  @Test
  void metersTellWhatWasSeenLast() {
    Rounds rounds = new Rounds();
    AtomicReference<Supplier<List<FlowView>>> redis = new AtomicReference<>(() -> pack(3));
    FlowQueueMonitor watch =
        new FlowQueueMonitor(
            () -> redis.get().get(), rounds, metrics.registry(), InstantSource.system());
    assertThat(value("millrace_flow_jobs{list=\"waiting\",queue=\"box\"}")).isEqualTo(3);
    assertThat(value("millrace_flow_jobs{list=\"dead\",queue=\"box\"}")).isEqualTo(2);
    assertThat(value("millrace_flow_finished_total{outcome=\"completed\",queue=\"box\"}"))
        .isEqualTo(70);
    assertThat(value("millrace_flow_expired_total{queue=\"box\"}")).isEqualTo(6);
    assertThat(value("millrace_flow_workers{queue=\"box\"}")).isEqualTo(4);
    assertThat(value("millrace_flow_oldest_age_seconds{queue=\"box\"}")).isEqualTo(12);
    assertThat(value("millrace_flow_reachable")).isEqualTo(1);
    assertThat(watch.troubles()).extracting(FlowQueueProblem::count).containsExactly(2L);

    redis.set(() -> {
      throw new RedisUnavailableException("refused", null);
    });
    rounds.next();
    assertThat(watch.problem()).contains("refused");
    assertThat(value("millrace_flow_reachable")).isZero();
    assertThat(watch.troubles()).as("old ones are not told").isEmpty();
    assertThat(value("millrace_flow_jobs{list=\"waiting\",queue=\"box\"}")).isNaN();
    assertThat(value("millrace_flow_finished_total{outcome=\"completed\",queue=\"box\"}"))
        .as("a counter keeps what it had")
        .isEqualTo(70);

    redis.set(() -> pack(9));
    rounds.next();
    assertThat(watch.problem()).isEmpty();
    assertThat(value("millrace_flow_jobs{list=\"waiting\",queue=\"box\"}")).isEqualTo(9);
  }
}
