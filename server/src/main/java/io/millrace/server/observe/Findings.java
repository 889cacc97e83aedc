package io.millrace.server.observe;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.config.Observe;
import io.millrace.store.DefinitionStore.StoredDefinition;
import io.millrace.store.QueryStore;
import io.millrace.store.StatisticsStore.StateCount;
import io.millrace.store.StatisticsStore.TypeCount;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Looks in the database for what the rules name. All times are the database's. Thread-safe. */
final class Findings {

  private final Store store;
  private final String executorGroup;

  /**
   * What is there.
   *
   * @param detail one sentence
   */
  record Finding(long count, String detail) {}

  Findings(Store store, String executorGroup) {
    this.store = store;
    this.executorGroup = executorGroup;
  }

  Finding of(Observe.Alert rule) {
    return switch (rule.when()) {
      case FAILED -> failed(rule);
      case STUCK -> stuck(rule);
      case NO_EXECUTOR -> noExecutor(rule);
      case OLD_WAITING -> oldWaiting(rule);
    };
  }

  private Finding failed(Observe.Alert rule) {
    Instant from = store.queries().now().minus(rule.over());
    List<WorkflowInstance> failed =
        search(rule, InstanceQuery.all().status(InstanceStatus.FAILED).endedBetween(from, null));
    return new Finding(
        failed.size(),
        many(failed.size(), "instance") + " failed within " + text(rule.over()) + types(failed));
  }

  private Finding stuck(Observe.Alert rule) {
    Instant to = store.queries().now().minus(rule.over());
    List<WorkflowInstance> stuck =
        search(
            rule, InstanceQuery.all().status(InstanceStatus.EXECUTING).modifiedBetween(null, to));
    return new Finding(
        stuck.size(),
        many(stuck.size(), "handler") + " running for over " + text(rule.over()) + types(stuck));
  }

  /** An alert about an alert that could not be delivered would not be delivered either. */
  private List<WorkflowInstance> search(Observe.Alert rule, InstanceQuery query) {
    QueryStore queries = store.queries();
    InstanceQuery typed = rule.type() == null ? query : query.type(rule.type());
    return queries.search(typed.limit(InstanceQuery.MAX_LIMIT), null).items().stream()
        .filter(found -> !found.type().equals(AlertWorkflow.TYPE))
        .toList();
  }

  /** Open instances whose version of the definition no living executor of the group has. */
  private Finding noExecutor(Observe.Alert rule) {
    Instant now = store.queries().now();
    Set<Integer> known =
        store.executors().list(executorGroup).stream()
            .filter(executor -> lives(executor, now))
            .flatMap(executor -> executor.identity().definitionIds().stream())
            .collect(Collectors.toSet());
    long count = 0;
    Set<String> names = new TreeSet<>();
    for (String type : openTypes(rule)) {
      for (StateCount state : store.statistics().states(type)) {
        boolean waits =
            state.status() == InstanceStatus.CREATED
                || state.status() == InstanceStatus.IN_PROGRESS;
        if (waits && !known.contains(idOf(type, state.version()))) {
          count += state.count();
          names.add(type + " version " + state.version());
        }
      }
    }
    return new Finding(
        count,
        many(count, "open instance")
            + " that no living executor can run"
            + (names.isEmpty() ? "" : ": " + names));
  }

  private Set<String> openTypes(Observe.Alert rule) {
    return store.statistics().open().stream()
        .map(TypeCount::type)
        .filter(type -> rule.type() == null || rule.type().equals(type))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private int idOf(String type, int version) {
    return store.definitions().find(type, version).map(StoredDefinition::id).orElse(-1);
  }

  static boolean lives(ExecutorInfo executor, Instant now) {
    return executor.stopped() == null
        && executor.recovered() == null
        && executor.expires().isAfter(now);
  }

  private Finding oldWaiting(Observe.Alert rule) {
    Instant now = store.queries().now();
    Instant oldest = store.statistics().oldestDue().orElse(now);
    Duration age = Duration.between(oldest, now);
    return age.compareTo(rule.over()) > 0
        ? new Finding(rule.threshold(), "A due instance has been waiting for " + text(age))
        : new Finding(0, "No due instance has been waiting for over " + text(rule.over()));
  }

  private static String many(long count, String what) {
    String number = count >= InstanceQuery.MAX_LIMIT ? count + " or more " : count + " ";
    return number + what + (count == 1 ? "" : "s");
  }

  private static String types(List<WorkflowInstance> found) {
    Set<String> types =
        found.stream().map(WorkflowInstance::type).collect(Collectors.toCollection(TreeSet::new));
    return types.isEmpty() ? "" : ": " + types;
  }

  private static String text(Duration time) {
    return Duration.ofSeconds(time.toSeconds()).toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
