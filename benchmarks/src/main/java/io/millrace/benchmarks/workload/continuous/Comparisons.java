package io.millrace.benchmarks.workload.continuous;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.data.Reduction;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** How long Reduce takes to tell the records that have changed from those that have not. */
record Comparisons() implements Workload {

  /** One record of so many has changed. */
  private static final int CHANGED_SHARE = 100;

  @Override
  public String id() {
    return "X13";
  }

  @Override
  public String title(Lab lab) {
    return "Reduce of %,d records, 1 in %d of them changed, against as many that are stored"
        .formatted(records(lab), CHANGED_SHARE);
  }

  private static int records(Lab lab) {
    return lab.size(100_000, 2_000);
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
  public boolean includes(Peers peer) {
    return peer == Peers.MILLRACE;
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(
        Twice.class, peer, Map.of("records", records(lab), "warmUp", lab.size(20_000, 100)));
  }

  /** A record as it comes from elsewhere. */
  record Customer(int id, String name, String city, int credit) {}

  static final class Twice implements Part {

    private static final int CONNECTIONS = 6;
    private static final int WARM_UPS = 5;

    @Override
    public void play(Stage stage) throws Exception {
      int count = stage.number("records");
      try (var pool = stage.database().pool(CONNECTIONS);
          Engine engine = Engine.builder().dataSource(pool).start()) {
        for (int i = 0; i < WARM_UPS; i++) {
          reduce(engine, "before", customers(stage.number("warmUp"), i)).commit();
        }
        Reduction<Customer> first = reduce(engine, "customers", customers(count, 0));
        stage.figure("first", seconds(first::commit));
        List<Customer> customers = customers(count, 1);
        stage.database().execute("ANALYZE");

        Meter meter = Meter.start(stage.database());
        Reduction<Customer> second = reduce(engine, "customers", customers);
        Usage usage = meter.stop();

        if (second.due().size() != count / CHANGED_SHARE) {
          throw new IllegalStateException(second.due().size() + " of " + count + " were passed on");
        }
        stage.figure("compare", usage.seconds());
        stage.figure("javaSeconds", usage.javaMillis() / 1_000);
        stage.figure("serverSeconds", usage.serverMillis() / 1_000);
        stage.figure("commit", seconds(second::commit));
      }
    }

    private static Reduction<Customer> reduce(
        Engine engine, String group, List<Customer> customers) {
      return engine.reduce(group).key("/id").reduce(customers);
    }

    /** The customers of a day; on each day some of them have another credit. */
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
