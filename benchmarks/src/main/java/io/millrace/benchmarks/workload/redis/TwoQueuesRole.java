package io.millrace.benchmarks.workload.redis;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A role that measures the same as the Node.js programs: all jobs are enqueued before the workers
 * start.
 */
final class TwoQueuesRole implements ProcessRole {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final Pattern SERVER_SECONDS =
      Pattern.compile("^used_cpu_(?:user|sys):([\\d.]+)", Pattern.MULTILINE);
  private static final long LIMIT_MINUTES = 5;
  private static final Flow FLOW =
      Flow.of(
          "bench", Queue.of("first").fields("n").next("second"), Queue.of("second").fields("n"));

  private final ConcurrentLinkedQueue<Double> handOvers = new ConcurrentLinkedQueue<>();
  private volatile CountDownLatch left = new CountDownLatch(0);
  private volatile long firstEnded;

  @Override
  public void run(RoleContext roleContext) throws Exception {
    RedisSettings settings = RedisSettings.of(roleContext.setting("uri"));
    int jobs = roleContext.number("jobs");
    int workers = roleContext.number("workers");
    try (RedisFlows flows = RedisFlows.connect(settings)) {
      FlowClient bench = flows.register(FLOW);
      work(bench, workers);
      flows.start();
      run(bench, Math.max(workers, 2 * jobs));
    }
    try (RedisFlows flows = RedisFlows.connect(settings)) {
      FlowClient bench = flows.register(FLOW);
      create(bench, jobs);
      measure(
          roleContext,
          flows,
          jobs,
          () -> {
            work(bench, workers);
            flows.start();
            await();
          });
      handOvers.clear();
      for (int i = 0; i < roleContext.number("oneByOne"); i++) {
        run(bench, 1);
      }
      Distribution millis = Distribution.of(handOvers);
      roleContext.recordMeasurement("idle50", millis.median());
      roleContext.recordMeasurement("idle99", millis.quantile(0.99));
    }
  }

  private interface Stretch {
    void go() throws Exception;
  }

  private static void measure(RoleContext roleContext, RedisFlows flows, int jobs, Stretch stretch)
      throws Exception {
    double server = serverMillis(flows);
    long cpu = SYSTEM.getProcessCpuTime();
    long begin = System.nanoTime();
    stretch.go();
    double seconds = (System.nanoTime() - begin) / 1e9;
    roleContext.recordMeasurement("perSecond", jobs / seconds);
    roleContext.recordMeasurement("clientMillis", (SYSTEM.getProcessCpuTime() - cpu) / 1e6 / jobs);
    roleContext.recordMeasurement("serverMillis", (serverMillis(flows) - server) / jobs);
  }

  private static double serverMillis(RedisFlows flows) {
    Matcher seconds = SERVER_SECONDS.matcher(String.valueOf(flows.redis().call("INFO", "cpu")));
    return seconds.results().mapToDouble(r -> Double.parseDouble(r.group(1))).sum() * 1e3;
  }

  private void work(FlowClient bench, int workers) {
    bench.workers(
        "first",
        workers,
        job -> {
          firstEnded = System.nanoTime();
          return JobResult.of("measured", true);
        });
    bench.workers(
        "second",
        workers,
        job -> {
          handOvers.add((System.nanoTime() - firstEnded) / 1e6);
          left.countDown();
          return JobResult.completed().done();
        });
  }

  private void create(FlowClient bench, int jobs) {
    left = new CountDownLatch(jobs);
    bench.createAll(IntStream.range(0, jobs).mapToObj(n -> NewJob.of(Map.of("n", n))).toList());
  }

  private void run(FlowClient bench, int jobs) throws Exception {
    create(bench, jobs);
    await();
  }

  private void await() throws InterruptedException {
    if (!left.await(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(left.getCount() + " jobs were not done");
    }
  }
}
