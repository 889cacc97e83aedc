package io.millrace.benchmarks.workload.redis;

import io.millrace.benchmarks.broker.RedisServer;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import io.millrace.benchmarks.workload.Workload;
import java.util.List;
import java.util.Map;

/** Jobs that do nothing, in a flow of two queues: how many, at what cost, and how soon. */
record TwoQueues() implements Workload {

  private static final int ONE_BY_ONE = 200;

  @Override
  public String id() {
    return "X15";
  }

  @Override
  public String title(Lab lab) {
    return "%,d jobs that do nothing through two queues on one Redis; and one by one"
        .formatted(jobs(lab));
  }

  private static int jobs(Lab lab) {
    return lab.size(10_000, 300);
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
  public boolean includes(Peers peer) {
    return peer == Peers.MILLRACE || peer.isOverRedis();
  }

  @Override
  public List<String> cases(Lab lab) {
    return List.of("1 worker", "10 workers", "50 workers");
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    String workers = oneCase.substring(0, oneCase.indexOf(' '));
    try (RedisServer redis = RedisServer.start()) {
      if (peer.isOverRedis()) {
        return lab.node(
            peer, List.of(redis.uri(), "" + jobs(lab), workers, "" + lab.size(ONE_BY_ONE, 20)));
      }
      return lab.play(
          TwoQueuesPart.class,
          peer,
          Map.of(
              "uri", redis.uri(),
              "jobs", jobs(lab),
              "workers", workers,
              "oneByOne", lab.size(ONE_BY_ONE, 20)));
    }
  }
}
