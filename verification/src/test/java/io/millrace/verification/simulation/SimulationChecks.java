package io.millrace.verification.simulation;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checks of the database and of the clients' records at the end of a simulation. */
final class SimulationChecks {

  private static final Pattern COUNT = Pattern.compile("\"count\":\"?(\\d+)");

  private final SimWorld simWorld;
  private final SimJournal simJournal;
  private final List<WorkflowInstance> all;
  private final Map<SimJournal.ReportKey, Integer> written = new HashMap<>();

  SimulationChecks(SimWorld simWorld, List<WorkflowInstance> all) {
    this.simWorld = simWorld;
    this.simJournal = simWorld.journal;
    this.all = all;
  }

  void run() {
    for (WorkflowInstance one : all) {
      List<HistoryEntry> history =
          simWorld.database.queries().history(one.id(), 0, InstanceQuery.MAX_LIMIT);
      checkChain(one, history);
      checkEnd(one, history);
      checkLeases(one, history);
      checkCount(one, history);
      checkOwner(one);
      checkPoison(one, history);
      checkChildren(one, history);
      checkSignals(one, history);
      history.forEach(this::note);
    }
    checkStarts();
    checkReports();
  }

  private void checkChain(WorkflowInstance one, List<HistoryEntry> history) {
    String state = history.isEmpty() ? one.state() : history.getFirst().move().from();
    int seq = 0;
    for (HistoryEntry historyEntry : history) {
      seq++;
      if (historyEntry.seq() != seq || !historyEntry.move().from().equals(state)) {
        simJournal.violated(
            "I2", "the history of instance " + one.id() + " breaks at " + historyEntry);
        return;
      }
      state = historyEntry.move().to();
    }
    if (one.seq() != seq || !one.state().equals(state)) {
      simJournal.violated("I2", "instance " + one.id() + " is not where its history ends: " + one);
    }
  }

  private void checkEnd(WorkflowInstance one, List<HistoryEntry> history) {
    Instant ended = one.timing().ended();
    if (ended != null && !history.isEmpty() && history.getLast().span().ended().isAfter(ended)) {
      simJournal.violated(
          "I2", "instance " + one.id() + " went on after its end: " + history.getLast());
    }
  }

  private void checkLeases(WorkflowInstance one, List<HistoryEntry> history) {
    int version = 0;
    Map<Integer, Long> holders = new HashMap<>();
    for (HistoryEntry historyEntry : history) {
      int next = historyEntry.author().leaseVersion();
      Long author = historyEntry.author().executorId();
      if (next < version) {
        simJournal.violated(
            "I1", "the lease version of instance " + one.id() + " fell at " + historyEntry);
      }
      version = next;
      boolean byHolder = author != null && historyEntry.type() != HistoryEntryType.RECOVERY;
      Long before = byHolder ? holders.putIfAbsent(next, author) : null;
      if (before != null && !before.equals(author)) {
        simJournal.violated("I1", "two executors wrote under one lease: " + historyEntry);
      }
    }
    if (one.lease().leaseVersion() < version) {
      simJournal.violated("I1", "the lease version of instance " + one.id() + " fell at last");
    }
  }

  /**
   * Checks the variable to which every accepted step added one; it shows a lost or repeated effect.
   */
  private void checkCount(WorkflowInstance one, List<HistoryEntry> history) {
    int count = 0;
    for (HistoryEntry historyEntry : history) {
      String changes = historyEntry.outcome().variables();
      Matcher matcher = COUNT.matcher(changes == null ? "" : changes);
      if (matcher.find()) {
        count++;
        if (Integer.parseInt(matcher.group(1)) != count) {
          simJournal.violated("I6", "expected count " + count + " in " + historyEntry);
        }
      }
    }
    String stored = simWorld.database.queries().variables(one.id()).getOrDefault("count", "0");
    if (Integer.parseInt(stored) != count) {
      simJournal.violated("I6", "instance " + one.id() + " has count " + stored + ", not " + count);
    }
  }

  private void checkOwner(WorkflowInstance one) {
    if (one.lease().executorId() != null) {
      simJournal.violated("I9", "an executor still owns instance " + one);
    }
  }

  private void checkPoison(WorkflowInstance one, List<HistoryEntry> history) {
    int deaths = simJournal.deaths.getOrDefault(one.id(), 0);
    if (deaths == 0) {
      return;
    }
    int most = simWorld.settings.leasing().maxRecoveries();
    boolean inARow = history.stream().allMatch(a -> a.type() == HistoryEntryType.RECOVERY);
    if (inARow && (deaths > most || one.status() != InstanceStatus.MANUAL)) {
      simJournal.violated(
          "I10", "instance " + one.id() + " killed " + deaths + " times and is " + one.status());
    }
  }

  private void checkChildren(WorkflowInstance one, List<HistoryEntry> history) {
    if (!one.type().equals("parent")) {
      return;
    }
    boolean asked = history.stream().anyMatch(a -> !a.move().from().equals(a.move().to()));
    long children =
        all.stream().filter(c -> Long.valueOf(one.id()).equals(c.origin().parentId())).count();
    if (children != (asked ? 3 : 0) || one.children().open() != 0) {
      simJournal.violated("I6", "parent " + one + " has " + children + " children");
    }
  }

  /** Checks that an accepted answer consumes exactly the signal that its handler received. */
  private void checkSignals(WorkflowInstance one, List<HistoryEntry> history) {
    if (!one.type().equals("waiting")) {
      return;
    }
    for (HistoryEntry historyEntry : history) {
      boolean paid = "paid".equals(historyEntry.outcome().reason());
      if (!historyEntry
          .outcome()
          .consumed()
          .equals(paid ? List.of(SimWorkflows.SIGNAL) : List.of())) {
        simJournal.violated("I6", "a signal was lost or consumed twice at " + historyEntry);
      }
    }
  }

  private void note(HistoryEntry historyEntry) {
    Long author = historyEntry.author().executorId();
    if (author != null && historyEntry.type() != HistoryEntryType.RECOVERY) {
      written.merge(new SimJournal.ReportKey(historyEntry.instanceId(), author), 1, Integer::sum);
    }
  }

  /**
   * Checks that every acknowledged instance exists, and that each start created at most one
   * instance.
   */
  private void checkStarts() {
    Map<String, Long> ids = new HashMap<>();
    for (WorkflowInstance one : all) {
      boolean started = !one.type().equals(SimSequences.TYPE);
      String token = started ? one.origin().businessKey() : null;
      if (token != null && ids.put(token, one.id()) != null) {
        simJournal.violated("I4", "start " + token + " made two instances");
      }
    }
    Set<String> known = new HashSet<>(ids.keySet());
    if (!simJournal.asked.containsAll(known)) {
      simJournal.violated("I4", "instances exist that no client started");
    }
    for (SimJournal.Acknowledged start : simJournal.acknowledged) {
      if (!Long.valueOf(start.id()).equals(ids.get(start.token()))) {
        simJournal.violated("I3", start + " is instance " + ids.get(start.token()));
      }
    }
  }

  /** Checks that every transition that was reported as accepted is in the history. */
  private void checkReports() {
    simJournal.reported.forEach((reportKey, times) -> {
      if (times > written.getOrDefault(reportKey, 0)) {
        simJournal.violated(
            "I5", reportKey + " reported " + times + " transitions, the history has fewer");
      }
    });
  }
}
