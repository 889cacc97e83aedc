package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.PartProcess;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How soon the work of a killed process begins again in another one. Several processes that hold
 * work are killed at moments of their own, while one that has nothing to do stands by.
 */
final class Recovery implements Workload {

  private static final int AT_ONCE = 5;
  private static final int LATEST_KILL_MILLIS = 3_000;

  @Override
  public String id() {
    return "W5";
  }

  /** Peers that take minutes for each sample get few. */
  private static int samples(Lab lab, Peers peer) {
    return peer == Peers.MILLRACE ? lab.size(20, 2) : lab.size(3, 1);
  }

  @Override
  public String title(Lab lab) {
    return "seconds from kill -9 of a process until the work it held begins again in another one";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("p50", "p50", 1),
        Column.lessIsBetter("p99", "p99", 1),
        Column.lessIsBetter("longest", "longest", 1),
        Column.moreIsBetter("samples", "samples", 0));
  }

  /** An executor of DBOS is recovered only by itself. */
  @Override
  public boolean includes(Peers peer) {
    return peer != Peers.DBOS && !peer.isOverRedis();
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    List<Double> seconds = new ArrayList<>();
    for (int left = samples(lab, peer); left > 0; left -= AT_ONCE) {
      seconds.addAll(sample(lab, peer, Math.min(left, AT_ONCE)));
    }
    Distribution all = Distribution.of(seconds);
    return Map.of(
        "p50", all.median(),
        "p99", all.quantile(0.99),
        "longest", all.max(),
        "samples", (double) all.size());
  }

  /** In a new database, so that nothing is left of those who were killed before. */
  private static List<Double> sample(Lab lab, Peers peer, int victims) throws Exception {
    Database database = lab.server().create();
    List<PartProcess> processes = new ArrayList<>();
    try {
      peer.create().install(database);
      KillJournal journal = new KillJournal(database);
      journal.install();
      processes.add(lab.start(Rescuer.class, peer, database, Map.of("name", "rescuer")));
      for (int i = 1; i <= victims; i++) {
        processes.add(lab.start(Victim.class, peer, database, Map.of("name", "victim" + i)));
      }
      PartProcess rescuer = processes.getFirst();
      for (PartProcess process : processes) {
        process.await("ready");
      }
      journal.awaitBegun(victims);
      rescuer.send("run");
      rescuer.await("runs");
      kill(journal, processes);
      return journal.awaitSeconds(victims);
    } finally {
      processes.forEach(PartProcess::close);
      lab.server().drop(database);
    }
  }

  /** Kills all but the first, each at a random moment. */
  private static void kill(KillJournal journal, List<PartProcess> processes) throws Exception {
    long[] moments =
        ThreadLocalRandom.current()
            .longs(processes.size() - 1, 0, LATEST_KILL_MILLIS)
            .sorted()
            .toArray();
    long begin = System.currentTimeMillis();
    for (int i = 1; i < processes.size(); i++) {
      TimeUnit.MILLISECONDS.sleep(moments[i - 1] - (System.currentTimeMillis() - begin));
      long now = System.currentTimeMillis();
      processes.get(i).kill();
      journal.killed("victim" + i, now);
    }
  }

  /** Does whatever it finds, from when it is told to. */
  static final class Rescuer implements Part {
    @Override
    public void play(Stage stage) throws Exception {
      KillJournal journal = new KillJournal(stage.database());
      String name = stage.setting("name");
      try (PeerProcess process =
          open(stage, (work, step, payload) -> journal.begun(name, payload))) {
        stage.say("ready");
        stage.await("run");
        process.run();
        stage.say("runs");
        forever();
      }
    }
  }

  /** Never ends what it has begun. */
  static final class Victim implements Part {
    @Override
    public void play(Stage stage) throws Exception {
      KillJournal journal = new KillJournal(stage.database());
      String name = stage.setting("name");
      Probe probe =
          (work, step, payload) -> {
            journal.begun(name, payload);
            forever();
          };
      try (PeerProcess process = open(stage, probe)) {
        process.run();
        process.enqueue(Work.ONE_STEP, name);
        stage.say("ready");
        forever();
      }
    }
  }

  private static PeerProcess open(Stage stage, Probe probe) throws Exception {
    return stage.peer().open(stage.database(), Tuning.RECOVERY, probe);
  }

  private static void forever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
