package io.millrace.benchmarks.workload.server;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A workload that measures how long the server takes to answer the requests of its pages, beside
 * many instances.
 */
final class PageQueryWorkload implements Workload {

  private static final int WARM_UP = 20;

  private final Map<String, Map<String, Double>> answers = new LinkedHashMap<>();

  @Override
  public String id() {
    return "X8";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "ms in which the server answers over HTTP, beside %,d instances"
        .formatted(count(context));
  }

  private static int count(BenchmarkContext context) {
    return context.size(1_000_000, 5_000);
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("p50", "p50", 1),
        Column.lessIsBetter("p95", "p95", 1),
        Column.lessIsBetter("max", "max", 1));
  }

  @Override
  public List<String> cases(BenchmarkContext context) {
    return List.copyOf(questions(Instant.EPOCH).keySet());
  }

  /** Measures all requests in one run of the server; each case reports one of them. */
  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    if (!answers.containsKey(oneCase)) {
      ask(context);
    }
    return Objects.requireNonNull(answers.remove(oneCase), oneCase);
  }

  private static Map<String, String> questions(Instant now) {
    String day = now.minus(Duration.ofDays(28)).toString();
    String dayAfter = now.minus(Duration.ofDays(27)).toString();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("overview, 24 hours", "/overview?range=24h");
    all.put("overview, 30 days", "/overview?range=30d");
    all.put("failure groups", "/failures");
    all.put("list", "/instances");
    all.put("list of a type", "/instances?type=order");
    all.put("list of a rare type", "/instances?type=rare");
    all.put("list of two types", "/instances?type=refund&type=audit");
    all.put("list of a status", "/instances?status=inProgress");
    all.put("list of failed ones", "/instances?status=failed");
    all.put("list of failed ones of a type", "/instances?status=failed&type=invoice");
    all.put("list of a state and type", "/instances?type=order&state=charge");
    all.put("list of a business key", "/instances?businessKey=K4711");
    all.put("list of an external id", "/instances?externalId=E4711");
    all.put("list of either key", "/instances?key=K4711");
    all.put("list of children", "/instances?parent=48");
    all.put("list of a group", "/instances?group=elsewhere");
    all.put("list of an executor", "/instances?executor=1");
    all.put("list of a failure group", "/instances?failure=f7");
    all.put("list of a variable", "/instances?variable=customer&value=C4710");
    all.put(
        "list of a day four weeks ago", "/instances?createdFrom=" + day + "&createdTo=" + dayAfter);
    all.put("list of what ended that day", "/instances?endedFrom=" + day + "&endedTo=" + dayAfter);
    all.put("list of a state", "/instances?state=charge");
    all.put("count of a type, to 10,000", "/instances/count?type=order");
    return all;
  }

  private void ask(BenchmarkContext context) throws Exception {
    int times = context.size(101, 5);
    BenchmarkDatabase database = context.server().create();
    Path noWorkflows = Files.createTempDirectory("millrace-benchmark-workflows");
    try {
      try (ServerProcess server = ServerProcess.start(database, noWorkflows)) {
        server.get("/overview");
      }
      InstanceFiller.fill(database, count(context));
      try (ServerProcess server = ServerProcess.start(database, noWorkflows)) {
        InstanceFiller.awaitStatistics(database, count(context));
        for (Map.Entry<String, String> question : questions(Instant.now()).entrySet()) {
          answers.put(question.getKey(), answer(server, question.getValue(), times));
        }
      }
    } finally {
      Files.deleteIfExists(noWorkflows);
      context.server().drop(database);
    }
  }

  private static Map<String, Double> answer(ServerProcess server, String path, int times)
      throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    for (int i = -WARM_UP; i < times; i++) {
      long begin = System.nanoTime();
      server.get(path);
      if (i >= 0) {
        millis.add((System.nanoTime() - begin) / 1e6);
      }
    }
    Distribution distribution = Distribution.of(millis);
    return Map.of(
        "p50",
        distribution.median(),
        "p95",
        distribution.quantile(0.95),
        "max",
        distribution.max());
  }
}
