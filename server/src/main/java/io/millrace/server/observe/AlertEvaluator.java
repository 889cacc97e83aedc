package io.millrace.server.observe;

import io.millrace.continuous.PollResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StateCount;
import io.millrace.instance.TypeCount;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.store.ContinuousStore;
import io.millrace.store.DefinitionStore.StoredDefinition;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.QueryStore;
import io.millrace.store.RetentionBacklog;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An evaluator of alert rules against the database. All times are those of the database.
 * Thread-safe.
 */
final class AlertEvaluator {

  /** Count up to which a finding is exact, unless the threshold of the rule is higher. */
  private static final int COUNTED = 1000;

  /** Upper limit of the names in a message. */
  private static final int NAMED = 20;

  private static final List<InstanceStatus> OPEN =
      List.of(InstanceStatus.CREATED, InstanceStatus.IN_PROGRESS);

  private final Store store;
  private final String executorGroup;
  private final Retention retention;

  /**
   * The finding of a rule.
   *
   * @param detail one sentence
   */
  record Finding(long count, String detail) {}

  /**
   * @param retention retention by which the engines of the group archive and delete
   */
  AlertEvaluator(Store store, String executorGroup, Retention retention) {
    this.store = store;
    this.executorGroup = executorGroup;
    this.retention = retention;
  }

  Finding evaluate(ObservabilityConfig.Alert rule) {
    return switch (rule.when()) {
      case FAILED -> failed(rule);
      case STUCK -> stuck(rule);
      case NO_EXECUTOR -> noExecutor(rule);
      case OLD_WAITING -> oldWaiting(rule);
      case CONTINUOUS_DOWN -> continuousDown(rule);
      case PERIOD_MISSED -> periodMissed(rule);
      case RETENTION_BEHIND -> retentionBehind(rule);
    };
  }

  private Finding failed(ObservabilityConfig.Alert rule) {
    Instant from = store.queries().now().minus(rule.over());
    return counted(
        rule,
        InstanceQuery.all().status(InstanceStatus.FAILED).endedBetween(from, null),
        "instance",
        " failed within ");
  }

  private Finding stuck(ObservabilityConfig.Alert rule) {
    Instant to = store.queries().now().minus(rule.over());
    return counted(
        rule,
        InstanceQuery.all().status(InstanceStatus.EXECUTING).modifiedBetween(null, to),
        "handler",
        " running for over ");
  }

  /**
   * Counts the instances of the group, without those of alerts: an alert about failed alerts would
   * not arrive either.
   */
  private Finding counted(
      ObservabilityConfig.Alert rule, InstanceQuery query, String what, String how) {
    QueryStore queries = store.queries();
    InstanceQuery own = query.executorGroup(executorGroup);
    InstanceQuery asked = rule.type() == null ? own : own.type(rule.type());
    int most = Math.max(rule.threshold(), COUNTED);
    boolean withAlerts = rule.type() == null || rule.type().equals(AlertWorkflow.TYPE);
    int alerts = withAlerts ? queries.count(own.type(AlertWorkflow.TYPE), null, most) : 0;
    int count = queries.count(asked, null, most + alerts) - alerts;
    String number = (count == most ? count + " or more " : count + " ") + plural(count, what);
    return new Finding(
        count, number + how + text(rule.over()) + (count == 0 ? "" : types(queries, asked)));
  }

  /** Returns the types of the newest instances. */
  private static String types(QueryStore queries, InstanceQuery query) {
    Set<String> types =
        queries.search(query, null).items().stream()
            .map(WorkflowInstance::type)
            .filter(type -> !type.equals(AlertWorkflow.TYPE))
            .collect(Collectors.toCollection(TreeSet::new));
    return types.isEmpty() ? "" : ": " + types;
  }

  /** Finds open instances with a definition version that no living executor of the group has. */
  private Finding noExecutor(ObservabilityConfig.Alert rule) {
    Instant now = store.queries().now();
    Set<Integer> known =
        store.executors().list(executorGroup).stream()
            .filter(executor -> executor.isAlive(now))
            .flatMap(executor -> executor.identity().definitionIds().stream())
            .collect(Collectors.toSet());
    long count = 0;
    Set<String> names = new TreeSet<>();
    for (String type : openTypes(rule)) {
      long unknown = 0;
      for (StateCount state : store.statistics().countsByState(type)) {
        if (isOpen(state.status()) && !known.contains(idOf(type, state.version()))) {
          unknown += state.count();
          names.add(type + " version " + state.version());
        }
      }
      if (unknown > 0) {
        long own = ownOpen(type, Math.max(rule.threshold(), COUNTED));
        count += Math.min(unknown, own);
        if (own == 0) {
          names.removeIf(name -> name.startsWith(type + " version "));
        }
      }
    }
    return new Finding(
        count,
        count
            + " "
            + plural(count, "open instance")
            + " that no living executor can run"
            + (names.isEmpty() ? "" : ": " + names));
  }

  /**
   * Counts the open instances of this group. The statistics cover all groups, and the instances of
   * other groups do not matter here.
   */
  private int ownOpen(String type, int most) {
    InstanceQuery open = InstanceQuery.all().type(type).status(OPEN.getFirst(), OPEN.getLast());
    return store.queries().count(open.executorGroup(executorGroup), null, most);
  }

  private static boolean isOpen(InstanceStatus status) {
    return OPEN.contains(status);
  }

  private Set<String> openTypes(ObservabilityConfig.Alert rule) {
    return store.statistics().countsByType().stream()
        .map(TypeCount::type)
        .filter(type -> rule.type() == null || rule.type().equals(type))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private int idOf(String type, int version) {
    return store.definitions().find(type, version).map(StoredDefinition::id).orElse(-1);
  }

  private Finding oldWaiting(ObservabilityConfig.Alert rule) {
    Instant now = store.queries().now();
    Instant oldest = store.statistics().oldestDue().orElse(now);
    Duration age = Duration.between(oldest, now);
    return age.compareTo(rule.over()) > 0
        ? new Finding(rule.threshold(), "A due instance has been waiting for " + text(age))
        : new Finding(0, "No due instance has been waiting for over " + text(rule.over()));
  }

  private Finding retentionBehind(ObservabilityConfig.Alert rule) {
    return RetentionBacklog.find(store.retention(), retention, store.queries().now(), rule.over())
        .map(behind -> new Finding(rule.threshold(), behind.sentence()))
        .orElseGet(
            () -> new Finding(0, "No ended instance is overdue for over " + text(rule.over())));
  }

  private Finding continuousDown(ObservabilityConfig.Alert rule) {
    Instant before = store.queries().now().minus(rule.over());
    ContinuousStore.Filter troubled =
        new ContinuousStore.Filter(executorGroup, true, null, null, true);
    List<String> names =
        store
            .role(ContinuousStore.class)
            .list(troubled, null, Math.max(rule.threshold(), COUNTED))
            .stream()
            .filter(one -> rule.type() == null || rule.type().equals(one.identity().type()))
            .filter(one -> isDown(one.health(), before))
            .map(StoredContinuousWorkflow::name)
            .toList();
    return new Finding(
        names.size(),
        names.size()
            + " "
            + plural(names.size(), "continuous workflow")
            + " failing again and again, or down for over "
            + text(rule.over())
            + (names.isEmpty() ? "" : ": " + names.subList(0, Math.min(names.size(), NAMED))));
  }

  private Finding periodMissed(ObservabilityConfig.Alert rule) {
    Instant since = store.queries().now().minus(rule.over());
    Map<String, Boolean> counts = new HashMap<>();
    List<String> missed =
        store
            .role(PeriodLedgerStore.class)
            .missed(since, Math.max(rule.threshold(), COUNTED))
            .stream()
            .map(PeriodEntry::id)
            .filter(id -> counts.computeIfAbsent(id.key(), name -> isOf(rule, name)))
            .map(PeriodId::toString)
            .toList();
    return new Finding(
        missed.size(),
        missed.size()
            + " "
            + plural(missed.size(), "period")
            + " missed within "
            + text(rule.over())
            + (missed.isEmpty() ? "" : ": " + missed.subList(0, Math.min(missed.size(), NAMED))));
  }

  /** True for the periods of a continuous workflow of this group and of the type of the rule. */
  private boolean isOf(ObservabilityConfig.Alert rule, String schedule) {
    if (!schedule.startsWith(PollResult.EventPeriod.LEDGER_KEY_PREFIX)) {
      return rule.type() == null;
    }
    return store
        .role(ContinuousStore.class)
        .find(schedule.substring(PollResult.EventPeriod.LEDGER_KEY_PREFIX.length()))
        .map(StoredContinuousWorkflow::identity)
        .filter(one -> one.executorGroup().equals(executorGroup))
        .filter(one -> rule.type() == null || rule.type().equals(one.type()))
        .isPresent();
  }

  private static boolean isDown(StoredContinuousWorkflow.Health health, Instant before) {
    Instant since = health.downSince();
    return health.crashLoop() || (since != null && since.isBefore(before));
  }

  private static String plural(long count, String what) {
    return count == 1 ? what : what + "s";
  }

  private static String text(Duration time) {
    return Duration.ofSeconds(time.toSeconds()).toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
