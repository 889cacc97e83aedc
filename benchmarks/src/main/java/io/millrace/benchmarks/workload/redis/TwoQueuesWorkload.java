package io.millrace.benchmarks.workload.redis;

import io.millrace.benchmarks.broker.RedisServer;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import java.util.List;
import java.util.Map;

/** A workload of jobs that do nothing in a flow of two queues: throughput, cost, and latency. */
record TwoQueuesWorkload() implements Workload {

  private static final int ONE_BY_ONE = 200;

  @Override
  public String id() {
    return "X15";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "%,d jobs that do nothing through two queues on one Redis; and one by one"
        .formatted(jobs(context));
  }

  private static int jobs(BenchmarkContext context) {
    return context.size(10_000, 300);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/job, workers", "clientMillis", 3),
        Column.lessIsBetter("CPU ms/job, Redis", "serverMillis", 3),
        Column.lessIsBetter("hand-over one by one p50, ms", "idle50", 2),
        Column.lessIsBetter("p99, ms", "idle99", 2));
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE || peer.isOverRedis();
  }

  @Override
  public List<String> cases(BenchmarkContext context) {
    return List.of("1 worker", "10 workers", "50 workers");
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    String workers = oneCase.substring(0, oneCase.indexOf(' '));
    try (RedisServer redis = RedisServer.start()) {
      if (peer.isOverRedis()) {
        return context.node(
            peer,
            List.of(redis.uri(), "" + jobs(context), workers, "" + context.size(ONE_BY_ONE, 20)));
      }
      return context.runAlone(
          TwoQueuesRole.class,
          peer,
          Map.of(
              "uri", redis.uri(),
              "jobs", jobs(context),
              "workers", workers,
              "oneByOne", context.size(ONE_BY_ONE, 20)));
    }
  }
}
