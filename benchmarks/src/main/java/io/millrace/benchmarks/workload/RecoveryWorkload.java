package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.benchmarks.process.RoleProcess;
import io.millrace.benchmarks.report.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A workload that measures how soon the work of a killed process restarts in another one. Several
 * processes that hold work are killed at random moments, while an idle process stands by.
 */
final class RecoveryWorkload implements Workload {

  private static final int AT_ONCE = 5;
  private static final int LATEST_KILL_MILLIS = 3_000;

  @Override
  public String id() {
    return "W5";
  }

  /** Returns the number of samples; peers that take minutes for each sample get few. */
  private static int samples(BenchmarkContext context, PeerKind peer) {
    return peer == PeerKind.MILLRACE ? context.size(20, 2) : context.size(3, 1);
  }

  @Override
  public String title(BenchmarkContext context) {
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

  /** True for engines that can be measured; an executor of DBOS is recovered only by itself. */
  @Override
  public boolean includes(PeerKind peer) {
    return peer != PeerKind.DBOS && !peer.isOverRedis();
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    List<Double> seconds = new ArrayList<>();
    for (int left = samples(context, peer); left > 0; left -= AT_ONCE) {
      seconds.addAll(sample(context, peer, Math.min(left, AT_ONCE)));
    }
    Distribution all = Distribution.of(seconds);
    return Map.of(
        "p50", all.median(),
        "p99", all.quantile(0.99),
        "longest", all.max(),
        "samples", (double) all.size());
  }

  /** Measures one sample in a new database, so that nothing is left of processes killed earlier. */
  private static List<Double> sample(BenchmarkContext context, PeerKind peer, int victims)
      throws Exception {
    BenchmarkDatabase database = context.server().create();
    List<RoleProcess> processes = new ArrayList<>();
    try {
      peer.create().install(database);
      KillJournal journal = new KillJournal(database);
      journal.install();
      processes.add(context.start(Rescuer.class, peer, database, Map.of("name", "rescuer")));
      for (int i = 1; i <= victims; i++) {
        processes.add(context.start(Victim.class, peer, database, Map.of("name", "victim" + i)));
      }
      RoleProcess rescuer = processes.getFirst();
      for (RoleProcess process : processes) {
        process.await("ready");
      }
      journal.awaitBegun(victims);
      rescuer.send("run");
      rescuer.await("runs");
      kill(journal, processes);
      return journal.awaitSeconds(victims);
    } finally {
      processes.forEach(RoleProcess::close);
      context.server().drop(database);
    }
  }

  /** Kills all processes but the first, each at a random moment. */
  private static void kill(KillJournal journal, List<RoleProcess> processes) throws Exception {
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

  /** A role that runs all work it finds, as soon as it is told to start. */
  static final class Rescuer implements ProcessRole {
    @Override
    public void run(RoleContext roleContext) throws Exception {
      KillJournal journal = new KillJournal(roleContext.database());
      String name = roleContext.setting("name");
      try (PeerProcess process =
          open(roleContext, (workType, step, payload) -> journal.begun(name, payload))) {
        roleContext.say("ready");
        roleContext.await("run");
        process.run();
        roleContext.say("runs");
        forever();
      }
    }
  }

  /** A role that never ends the work it has started. */
  static final class Victim implements ProcessRole {
    @Override
    public void run(RoleContext roleContext) throws Exception {
      KillJournal journal = new KillJournal(roleContext.database());
      String name = roleContext.setting("name");
      Probe probe =
          (workType, step, payload) -> {
            journal.begun(name, payload);
            forever();
          };
      try (PeerProcess process = open(roleContext, probe)) {
        process.run();
        process.enqueue(WorkType.ONE_STEP, name);
        roleContext.say("ready");
        forever();
      }
    }
  }

  private static PeerProcess open(RoleContext roleContext, Probe probe) throws Exception {
    return roleContext.peer().open(roleContext.database(), Tuning.RECOVERY, probe);
  }

  private static void forever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
