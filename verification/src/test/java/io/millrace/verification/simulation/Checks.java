package io.millrace.verification.simulation;

import io.millrace.instance.Action;
import io.millrace.instance.ActionType;
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

/** Judges the database, and the clients' notes, when all is over. */
final class Checks {

  private static final Pattern COUNT = Pattern.compile("\"count\":\"?(\\d+)");

  private final World world;
  private final Journal journal;
  private final List<WorkflowInstance> all;
  private final Map<Journal.Reporter, Integer> written = new HashMap<>();

  Checks(World world, List<WorkflowInstance> all) {
    this.world = world;
    this.journal = world.journal;
    this.all = all;
  }

  void run() {
    for (WorkflowInstance one : all) {
      List<Action> history = world.database.queries().history(one.id(), 0, InstanceQuery.MAX_LIMIT);
      checkChain(one, history);
      checkEnd(one, history);
      checkLeases(one, history);
      checkCount(one, history);
      checkOwner(one);
      checkPoison(one, history);
      checkChildren(one, history);
      history.forEach(this::note);
    }
    checkStarts();
    checkReports();
  }

  private void checkChain(WorkflowInstance one, List<Action> history) {
    String state = history.isEmpty() ? one.state() : history.getFirst().move().from();
    int seq = 0;
    for (Action action : history) {
      seq++;
      if (action.seq() != seq || !action.move().from().equals(state)) {
        journal.violated("I2", "the history of instance " + one.id() + " breaks at " + action);
        return;
      }
      state = action.move().to();
    }
    if (one.seq() != seq || !one.state().equals(state)) {
      journal.violated("I2", "instance " + one.id() + " is not where its history ends: " + one);
    }
  }

  private void checkEnd(WorkflowInstance one, List<Action> history) {
    Instant ended = one.timing().ended();
    if (ended != null && !history.isEmpty() && history.getLast().span().ended().isAfter(ended)) {
      journal.violated(
          "I2", "instance " + one.id() + " went on after its end: " + history.getLast());
    }
  }

  private void checkLeases(WorkflowInstance one, List<Action> history) {
    int version = 0;
    Map<Integer, Long> holders = new HashMap<>();
    for (Action action : history) {
      int next = action.author().leaseVersion();
      Long author = action.author().executorId();
      if (next < version) {
        journal.violated("I1", "the lease version of instance " + one.id() + " fell at " + action);
      }
      version = next;
      boolean byHolder = author != null && action.type() != ActionType.RECOVERY;
      Long before = byHolder ? holders.putIfAbsent(next, author) : null;
      if (before != null && !before.equals(author)) {
        journal.violated("I1", "two executors wrote under one lease: " + action);
      }
    }
    if (one.lease().leaseVersion() < version) {
      journal.violated("I1", "the lease version of instance " + one.id() + " fell at last");
    }
  }

  /** Every accepted step added one to a variable: a lost or doubled effect shows. */
  private void checkCount(WorkflowInstance one, List<Action> history) {
    int count = 0;
    for (Action action : history) {
      String changes = action.outcome().variables();
      Matcher matcher = COUNT.matcher(changes == null ? "" : changes);
      if (matcher.find()) {
        count++;
        if (Integer.parseInt(matcher.group(1)) != count) {
          journal.violated("I6", "expected count " + count + " in " + action);
        }
      }
    }
    String stored = world.database.queries().variables(one.id()).getOrDefault("count", "0");
    if (Integer.parseInt(stored) != count) {
      journal.violated("I6", "instance " + one.id() + " has count " + stored + ", not " + count);
    }
  }

  private void checkOwner(WorkflowInstance one) {
    if (one.lease().executorId() != null) {
      journal.violated("I9", "somebody still owns instance " + one);
    }
  }

  private void checkPoison(WorkflowInstance one, List<Action> history) {
    int deaths = journal.deaths.getOrDefault(one.id(), 0);
    if (deaths == 0) {
      return;
    }
    int most = world.settings.leasing().maxRecoveries();
    boolean inARow = history.stream().allMatch(a -> a.type() == ActionType.RECOVERY);
    if (inARow && (deaths > most || one.status() != InstanceStatus.MANUAL)) {
      journal.violated(
          "I10", "instance " + one.id() + " killed " + deaths + " times and is " + one.status());
    }
  }

  private void checkChildren(WorkflowInstance one, List<Action> history) {
    if (!one.type().equals("parent")) {
      return;
    }
    boolean asked = history.stream().anyMatch(a -> !a.move().from().equals(a.move().to()));
    long children =
        all.stream().filter(c -> Long.valueOf(one.id()).equals(c.origin().parentId())).count();
    if (children != (asked ? 3 : 0) || one.children().open() != 0) {
      journal.violated("I6", "parent " + one + " has " + children + " children");
    }
  }

  private void note(Action action) {
    Long author = action.author().executorId();
    if (author != null && action.type() != ActionType.RECOVERY) {
      written.merge(new Journal.Reporter(action.instanceId(), author), 1, Integer::sum);
    }
  }

  /** What was acknowledged exists, and each start made one instance at most. */
  private void checkStarts() {
    Map<String, Long> ids = new HashMap<>();
    for (WorkflowInstance one : all) {
      boolean started = !one.type().equals(SimSequences.TYPE);
      String token = started ? one.origin().businessKey() : null;
      if (token != null && ids.put(token, one.id()) != null) {
        journal.violated("I4", "start " + token + " made two instances");
      }
    }
    Set<String> known = new HashSet<>(ids.keySet());
    if (!journal.asked.containsAll(known)) {
      journal.violated("I4", "instances exist that nobody asked for");
    }
    for (Journal.Acknowledged start : journal.acknowledged) {
      if (!Long.valueOf(start.id()).equals(ids.get(start.token()))) {
        journal.violated("I3", start + " is instance " + ids.get(start.token()));
      }
    }
  }

  /** Nothing was reported as accepted that the history does not have. */
  private void checkReports() {
    journal.reported.forEach((reporter, times) -> {
      if (times > written.getOrDefault(reporter, 0)) {
        journal.violated(
            "I5", reporter + " reported " + times + " transitions, the history has fewer");
      }
    });
  }
}
