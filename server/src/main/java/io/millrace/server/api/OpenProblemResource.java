package io.millrace.server.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.TypeCount;
import io.millrace.sequence.SequenceEntry;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The problems that an operator should look at. */
final class OpenProblemResource {

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final Duration TOO_OLD = Duration.ofMinutes(5);
  private static final Duration TOO_LONG_DOWN = Duration.ofMinutes(1);
  private static final int GROUPS = 50;
  private static final ContinuousStore.Filter UNHEALTHY =
      new ContinuousStore.Filter(null, true, null, null, true);

  private final ApiContext context;
  private final ExecutorResource executorResource;
  private final FailureGroupResource failureGroupResource;
  private final ServerInfo serverInfo;
  private final CachedSupplier<List<ProblemView>> all;

  OpenProblemResource(
      ApiContext context,
      ExecutorResource executorResource,
      FailureGroupResource failureGroupResource,
      ServerInfo serverInfo) {
    this.context = context;
    this.executorResource = executorResource;
    this.failureGroupResource = failureGroupResource;
    this.serverInfo = serverInfo;
    this.all = new CachedSupplier<>(context.clock(), AGE, this::load);
  }

  /**
   * The schema OpenProblem.
   *
   * @param type workflow type of the affected instances; null for other problems
   */
  record ProblemView(
      String kind,
      String severity,
      String title,
      String detail,
      @Nullable Instant since,
      @Nullable Long instanceId,
      @Nullable Long executorId,
      @Nullable String fingerprint,
      @Nullable Long count,
      @JsonIgnore @Nullable String type) {

    private static ProblemView of(String kind, String severity, String title, String detail) {
      return new ProblemView(kind, severity, title, detail, null, null, null, null, null, null);
    }

    private ProblemView ofType(String ofType) {
      return new ProblemView(
          kind, severity, title, detail, since, instanceId, executorId, fingerprint, count, ofType);
    }

    private ProblemView since(@Nullable Instant time) {
      return new ProblemView(
          kind, severity, title, detail, time, instanceId, executorId, fingerprint, count, type);
    }

    private ProblemView instance(long id) {
      return new ProblemView(
          kind, severity, title, detail, since, id, executorId, fingerprint, count, type);
    }

    private ProblemView executor(long id) {
      return new ProblemView(
          kind, severity, title, detail, since, instanceId, id, fingerprint, count, type);
    }

    private ProblemView counting(@Nullable String group, long number) {
      return new ProblemView(
          kind, severity, title, detail, since, instanceId, executorId, group, number, type);
    }
  }

  ApiResponse list(ApiRequest request) {
    return ApiResponse.json(readable(request, all()));
  }

  /** Returns the problems of instances that the caller may read, and all other problems. */
  static List<ProblemView> readable(ApiRequest request, List<ProblemView> problems) {
    return problems.stream()
        .filter(one -> one.type() == null || InstanceAccess.reads(request, one.type()))
        .toList();
  }

  /** Returns all problems, worst first. */
  List<ProblemView> all() {
    return all.get();
  }

  private List<ProblemView> load() {
    List<ProblemView> problems = new ArrayList<>();
    List<ExecutorResource.ExecutorView> known = executorResource.all();
    addWaiting(problems, known);
    addDead(problems, known);
    addUnknownTypes(problems, known);
    addStuck(problems);
    addFailures(problems);
    addAlerts(problems);
    addUnreadable(problems);
    addUnrunnable(problems);
    addContinuous(problems);
    serverInfo
        .problems()
        .get()
        .forEach(fault ->
            problems.add(
                new ProblemView(
                    fault.kind(),
                    fault.severity(),
                    fault.title(),
                    fault.detail(),
                    fault.since(),
                    null,
                    null,
                    null,
                    fault.count(),
                    null)));
    List<String> order = List.of("error", "warning", "info");
    problems.sort((a, b) -> order.indexOf(a.severity()) - order.indexOf(b.severity()));
    return List.copyOf(problems);
  }

  private void addWaiting(List<ProblemView> problems, List<ExecutorResource.ExecutorView> known) {
    Instant oldest = context.admin().oldestDue().orElse(null);
    if (oldest == null) {
      return;
    }
    if (known.stream().noneMatch(ExecutorResource.ExecutorView::isLive)) {
      problems.add(
          ProblemView.of(
                  "noExecutor",
                  "error",
                  "Work is due, and no executor is alive",
                  "Start an executor of the group that the waiting instances belong to.")
              .since(oldest));
    } else if (oldest.isBefore(context.admin().now().minus(TOO_OLD))) {
      problems.add(
          ProblemView.of(
                  "oldWaiting",
                  "warning",
                  "Work has been due for long",
                  "The executors have no room, or do not know its type or group. Look at their"
                      + " load; add executors or raise their concurrency.")
              .since(oldest));
    }
  }

  private static void addDead(
      List<ProblemView> problems, List<ExecutorResource.ExecutorView> known) {
    for (ExecutorResource.ExecutorView executor : known) {
      if (executor.status().equals("dead")) {
        problems.add(
            ProblemView.of(
                    "deadExecutor",
                    "warning",
                    "Executor " + executor.id() + " on " + executor.host() + " is dead",
                    "Its lease has ended without a good stop. Another executor of group '"
                        + executor.group()
                        + "' takes over what it held.")
                .since(executor.expires())
                .executor(executor.id()));
      }
    }
  }

  private void addUnknownTypes(
      List<ProblemView> problems, List<ExecutorResource.ExecutorView> known) {
    Set<String> runnable =
        known.stream()
            .filter(ExecutorResource.ExecutorView::isLive)
            .flatMap(executor -> executor.types().stream())
            .collect(Collectors.toSet());
    Map<String, Long> waiting = new TreeMap<>();
    for (TypeCount count : context.admin().open()) {
      boolean runs =
          count.status() == InstanceStatus.CREATED || count.status() == InstanceStatus.IN_PROGRESS;
      if (runs && !runnable.contains(count.type())) {
        waiting.merge(count.type(), count.count(), Long::sum);
      }
    }
    waiting.forEach((type, count) ->
        problems.add(
            ProblemView.of(
                    "unknownType",
                    "warning",
                    "No live executor knows '" + type + "'",
                    count + " instances of it cannot run. Start an executor that has it.")
                .counting(null, count)));
  }

  private void addStuck(List<ProblemView> problems) {
    for (StuckHandlerRegistry.StuckHandler stuckHandler : context.stuck().all()) {
      problems.add(
          ProblemView.of(
                  "stuck",
                  "warning",
                  "A handler of '" + stuckHandler.type() + "' does not come back",
                  "Instance "
                      + stuckHandler.instanceId()
                      + " has been in state '"
                      + stuckHandler.view().state()
                      + "' for "
                      + Math.round(stuckHandler.view().runningSeconds())
                      + " seconds. Its page shows where its thread is; cancel it if it is lost.")
              .instance(stuckHandler.instanceId())
              .ofType(stuckHandler.type()));
    }
  }

  private void addAlerts(List<ProblemView> problems) {
    for (ServerInfo.AlertView alert : serverInfo.alerts().get()) {
      problems.add(
          ProblemView.of("alert", "warning", "Alert '" + alert.rule() + "'", alert.detail())
              .since(alert.since())
              .instance(alert.instanceId()));
    }
  }

  private void addUnreadable(List<ProblemView> problems) {
    for (SequenceEntry entry : context.engine().sequences().reader().unreadable()) {
      problems.add(
          ProblemView.of(
              "sequence",
              "error",
              "Sequence '" + entry.sequenceId() + "' cannot be read",
              Objects.toString(entry.problem(), "")
                  + " Until then the calendar and the list of reports leave it out."));
    }
  }

  private void addUnrunnable(List<ProblemView> problems) {
    for (SequenceEntry entry : context.engine().sequences().reader().unrunnable()) {
      problems.add(
          ProblemView.of(
              "sequence",
              "error",
              "Sequence '" + entry.sequenceId() + "' cannot be run",
              Objects.toString(entry.problem(), "")));
    }
  }

  /**
   * Adds continuous workflows that are down. A workflow that has been down for a short time only is
   * being handed over to another executor.
   */
  private void addContinuous(List<ProblemView> problems) {
    Instant before = context.admin().now().minus(TOO_LONG_DOWN);
    for (StoredContinuousWorkflow one :
        context.engine().continuous().list(UNHEALTHY, null, GROUPS)) {
      Instant since = one.health().downSince();
      boolean down = since != null && since.isBefore(before);
      if (down || one.health().crashLoop()) {
        String error = Objects.toString(one.health().error(), "");
        problems.add(
            ProblemView.of(
                    "continuous",
                    "error",
                    "Continuous workflow '"
                        + one.name()
                        + "' "
                        + (one.health().crashLoop() ? "fails again and again" : "is down"),
                    error.isEmpty()
                        ? "No live executor of group '"
                            + one.identity().executorGroup()
                            + "' has taken it. Start one that has its code, or disable it."
                        : error)
                .since(since));
      }
    }
  }

  private void addFailures(List<ProblemView> problems) {
    for (FailureGroupResource.GroupView group : failureGroupResource.largest(GROUPS)) {
      problems.add(
          ProblemView.of(
                  "failureGroup",
                  "error",
                  group.count()
                      + (group.count() == 1 ? " instance of '" : " instances of '")
                      + group.type()
                      + "' failed in '"
                      + group.state()
                      + "'",
                  group.reason() == null ? "Mend the cause, then retry the group." : group.reason())
              .since(group.first())
              .instance(group.newestId())
              .counting(group.fingerprint(), group.count())
              .ofType(group.type()));
    }
  }
}
