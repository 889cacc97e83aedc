package io.millrace.benchmarks;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkPostgres;
import io.millrace.benchmarks.report.BenchmarkTable;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Measures all chosen engines by all chosen workloads and prints a table for each workload. */
public final class Benchmark {

  private final Options options;
  private int failed;
  private volatile boolean abandoned;

  private Benchmark(Options options) {
    this.options = options;
  }

  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(new Benchmark(options).run() ? 0 : 1);
  }

  private boolean run() throws Exception {
    Path programs = Path.of(System.getenv("MILLRACE_TEST_POSTGRES_BIN"));
    try (BenchmarkPostgres benchmarkPostgres = BenchmarkPostgres.start(programs)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> abandon(benchmarkPostgres)));
      BenchmarkContext context = new BenchmarkContext(benchmarkPostgres, options.quick());
      report(Machine.describe(benchmarkPostgres) + "\n");
      for (Workload workload : options.workloads()) {
        report(measure(workload, context).markdown());
      }
    }
    return failed == 0;
  }

  /** Cleans up when the run is interrupted. */
  private void abandon(BenchmarkPostgres benchmarkPostgres) {
    abandoned = true;
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    try {
      benchmarkPostgres.close();
    } catch (IOException e) {
      System.err.println("The server was not removed: " + e.getMessage());
    }
  }

  /** Measures round by round; each round measures one engine after the other. */
  private BenchmarkTable measure(Workload workload, BenchmarkContext context)
      throws IOException, InterruptedException {
    BenchmarkTable benchmarkTable =
        new BenchmarkTable(workload.id() + ": " + workload.title(context), workload.columns());
    List<PeerKind> peers = options.peersOf(workload).toList();
    for (int round = 1; round <= options.rounds(); round++) {
      for (PeerKind peer : peers) {
        for (String oneCase : workload.cases(context)) {
          String row = oneCase.isEmpty() ? peer.title() : peer.title() + ", " + oneCase;
          System.err.printf("==> %s, round %d, %s%n", workload.id(), round, row);
          try {
            benchmarkTable.add(row, workload.run(context, peer, oneCase));
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            if (abandoned) {
              throw new InterruptedException("The run was broken off.");
            }
            failed++;
            System.err.println("failed: " + e.getMessage());
          }
        }
      }
    }
    return benchmarkTable;
  }

  private void report(String text) throws IOException {
    System.out.println(text);
    if (options.report() != null) {
      Files.writeString(
          options.report(), text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}
