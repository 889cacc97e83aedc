package io.millrace.benchmarks.workload.continuous;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.data.Reduction;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A workload that measures how long Reduce takes to separate changed records from unchanged ones.
 */
record ReduceWorkload() implements Workload {

  /** Share of changed records: one in this many. */
  private static final int CHANGED_SHARE = 100;

  @Override
  public String id() {
    return "X13";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "Reduce of %,d records, 1 in %d of them changed, against as many that are stored"
        .formatted(records(context), CHANGED_SHARE);
  }

  private static int records(BenchmarkContext context) {
    return context.size(100_000, 2_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("compare, s", "compare", 3),
        Column.lessIsBetter("commit of the changed, s", "commit", 3),
        Column.lessIsBetter("first commit of all, s", "first", 3),
        Column.lessIsBetter("CPU s to compare, Java", "javaSeconds", 3),
        Column.lessIsBetter("CPU s to compare, server", "serverSeconds", 3));
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    return context.runAlone(
        Twice.class,
        peer,
        Map.of("records", records(context), "warmUp", context.size(20_000, 100)));
  }

  /** A record as the source delivers it. */
  record Customer(int id, String name, String city, int credit) {}

  static final class Twice implements ProcessRole {

    private static final int CONNECTIONS = 6;
    private static final int WARM_UPS = 5;

    @Override
    public void run(RoleContext roleContext) throws Exception {
      int count = roleContext.number("records");
      try (var pool = roleContext.database().pool(CONNECTIONS);
          Engine engine = Engine.builder().dataSource(pool).start()) {
        for (int i = 0; i < WARM_UPS; i++) {
          reduce(engine, "before", customers(roleContext.number("warmUp"), i)).commit();
        }
        Reduction<Customer> first = reduce(engine, "customers", customers(count, 0));
        roleContext.recordMeasurement("first", seconds(first::commit));
        List<Customer> customers = customers(count, 1);
        roleContext.database().execute("ANALYZE");

        Meter meter = Meter.start(roleContext.database());
        Reduction<Customer> second = reduce(engine, "customers", customers);
        ResourceUsage resourceUsage = meter.stop();

        if (second.changed().size() != count / CHANGED_SHARE) {
          throw new IllegalStateException(
              second.changed().size() + " of " + count + " were passed on");
        }
        roleContext.recordMeasurement("compare", resourceUsage.seconds());
        roleContext.recordMeasurement("javaSeconds", resourceUsage.javaMillis() / 1_000);
        roleContext.recordMeasurement("serverSeconds", resourceUsage.serverMillis() / 1_000);
        roleContext.recordMeasurement("commit", seconds(second::commit));
      }
    }

    private static Reduction<Customer> reduce(
        Engine engine, String group, List<Customer> customers) {
      return engine.reduce(group).key("/id").reduce(customers);
    }

    /** Returns the customers of a day; on each day the credit of some of them changes. */
    private static List<Customer> customers(int count, int day) {
      return IntStream.range(0, count)
          .mapToObj(i ->
              new Customer(i, "Customer " + i, "City " + i % 97, i % CHANGED_SHARE == 0 ? day : 7))
          .toList();
    }

    private static double seconds(Runnable work) {
      long begin = System.nanoTime();
      work.run();
      return (System.nanoTime() - begin) / 1e9;
    }
  }
}
