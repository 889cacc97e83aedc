package io.millrace.server.observe;

import io.millrace.WorkflowClient;
import io.millrace.codec.Codec;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.lifecycle.Loop;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.deliver.NotificationMailer;
import io.millrace.server.deliver.WebhookSender;
import io.millrace.server.security.OutboundClient;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor of the configured alert rules. Every 15 seconds the longest-living executor of the
 * group evaluates them. Each finding becomes an instance of the workflow {@code millrace-alert},
 * which sends the notifications. If two nodes evaluate the rules at the same time, the external id
 * of that instance still makes it one. Thread-safe.
 */
public final class AlertMonitor implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AlertMonitor.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Store store;
  private final String executorGroup;
  private final EngineRuntime runtime;
  private final Map<String, ObservabilityConfig.Alert> rules = new LinkedHashMap<>();
  private final AlertEvaluator alertEvaluator;
  private final AlertWorkflow workflow;
  private final Codec codec = new Jackson3Codec();
  private final Map<String, Instant> foundSince = new HashMap<>();
  private @Nullable Loop loop;

  /**
   * An active alert.
   *
   * @param since time at which it was first found
   * @param instanceId instance of workflow {@code millrace-alert}
   * @param quiet true if an operator has paused it
   */
  public record ActiveAlert(
      String rule, String detail, Instant since, long instanceId, boolean quiet) {}

  /**
   * Creates a monitor for the alerts of the configuration.
   *
   * @param outside client that posts to webhooks
   */
  public AlertMonitor(
      ObservabilityConfig config,
      Store store,
      String executorGroup,
      Retention retention,
      OutboundClient outside,
      EngineRuntime runtime) {
    this.store = store;
    this.executorGroup = executorGroup;
    this.runtime = runtime;
    config.alerts().forEach(rule -> rules.put(rule.name(), rule));
    this.alertEvaluator = new AlertEvaluator(store, executorGroup, retention);
    ObservabilityConfig.Mail mail = config.mail();
    this.workflow =
        new AlertWorkflow(
            rules,
            new AlertSender(
                new WebhookSender(outside), mail == null ? null : new NotificationMailer(mail)),
            alertEvaluator::evaluate);
  }

  /**
   * Returns the workflows to register with the engine: none if there is no rule, and no open alert
   * that must end because its rule was removed.
   */
  public List<WorkflowDefinition> workflows() {
    return rules.isEmpty() && !someAreLeft() ? List.of() : List.of(workflow.definition());
  }

  private boolean someAreLeft() {
    InstanceQuery open =
        InstanceQuery.all()
            .type(AlertWorkflow.TYPE)
            .executorGroup(executorGroup)
            .status(
                InstanceStatus.CREATED,
                InstanceStatus.IN_PROGRESS,
                InstanceStatus.EXECUTING,
                InstanceStatus.PAUSED,
                InstanceStatus.MANUAL)
            .limit(1);
    return !store.queries().search(open, null).items().isEmpty();
  }

  /**
   * Starts to monitor, if there are rules.
   *
   * @param executorId supplies the id of this node's executor; null if it runs no instances and
   *     therefore never monitors
   */
  public void start(WorkflowClient client, Supplier<@Nullable Long> executorId) {
    if (!rules.isEmpty()) {
      loop =
          runtime
              .runner()
              .loop(
                  "millrace-alerts",
                  () -> {
                    checkRules(client, executorId.get());
                    return BETWEEN_LOOKS;
                  });
    }
  }

  /** Returns the active alerts, the newest first. */
  public List<ActiveAlert> activeAlerts() {
    List<ActiveAlert> all = new ArrayList<>();
    for (String rule : rules.keySet()) {
      last(rule)
          .filter(one -> !one.status().isTerminal())
          .map(this::activeAlerts)
          .ifPresent(all::add);
    }
    all.sort((one, other) -> other.since().compareTo(one.since()));
    return all;
  }

  private ActiveAlert activeAlerts(WorkflowInstance instance) {
    String rule = String.valueOf(instance.origin().businessKey());
    String detail =
        store
            .queries()
            .input(instance.id())
            .map(input -> codec.decode(input, Alert.class).detail())
            .orElse("");
    return new ActiveAlert(
        rule,
        detail,
        instance.timing().created(),
        instance.id(),
        instance.status() == InstanceStatus.PAUSED);
  }

  /** Evaluates all rules once. A failure in one rule does not affect the others, and is retried. */
  void checkRules(WorkflowClient client, @Nullable Long executorId) {
    boolean mine = executorId != null && check("the executors", () -> isEldest(executorId));
    if (!mine) {
      foundSince.clear();
      return;
    }
    for (ObservabilityConfig.Alert rule : rules.values()) {
      check("'" + rule.name() + "'", () -> checkRules(client, rule));
    }
  }

  private static boolean check(String what, BooleanSupplier work) {
    try {
      return work.getAsBoolean();
    } catch (StoreException e) {
      LOG.warn("Alerts: {} will be looked at the next time: {}", what, e.getMessage());
    } catch (MillraceException e) {
      LOG.error("Alerts: {} cannot be looked at", what, e);
    }
    return false;
  }

  /**
   * Returns true if this executor is the eldest of the group. This is a cheap way to choose one
   * node; nothing breaks if two nodes both believe that they are the eldest.
   */
  private boolean isEldest(long executorId) {
    Instant now = store.queries().now();
    return store.executors().list(executorGroup).stream()
        .filter(executor -> executor.isAlive(now))
        .noneMatch(executor -> executor.id() < executorId);
  }

  private boolean checkRules(WorkflowClient client, ObservabilityConfig.Alert rule) {
    AlertEvaluator.Finding found = alertEvaluator.evaluate(rule);
    Optional<WorkflowInstance> last = last(rule.name());
    boolean on = last.isPresent() && !last.get().status().isTerminal();
    if (found.count() < rule.threshold()) {
      foundSince.remove(rule.name());
      if (on) {
        client.signal(last.get().id(), AlertWorkflow.OVER, null, AlertWorkflow.TYPE, "over");
      }
    } else if (!on && longEnough(rule) && !rule.silence().isQuiet(store.queries().now())) {
      raise(client, rule, found, last.map(WorkflowInstance::id).orElse(0L));
    }
    return true;
  }

  /**
   * True if the finding has lasted for the time of the rule. The database does not show for how
   * long an executor has been missing.
   */
  private boolean longEnough(ObservabilityConfig.Alert rule) {
    if (rule.when() != ObservabilityConfig.AlertCondition.NO_EXECUTOR) {
      return true;
    }
    Instant now = store.queries().now();
    Instant since = foundSince.computeIfAbsent(rule.name(), name -> now);
    return Duration.between(since, now).compareTo(rule.over()) >= 0;
  }

  private void raise(
      WorkflowClient client,
      ObservabilityConfig.Alert rule,
      AlertEvaluator.Finding found,
      long lastId) {
    Alert alert =
        new Alert(
            rule.name(),
            AlertWorkflow.nameOf(rule.when()),
            found.count(),
            rule.threshold(),
            found.detail(),
            store.queries().now());
    try {
      client.start(
          StartRequest.of(AlertWorkflow.TYPE, alert)
              .businessKey(rule.name())
              .externalId(rule.name() + "/" + lastId));
      LOG.warn("Alert '{}': {}", rule.name(), found.detail());
    } catch (ConflictException e) {
      LOG.debug("Another node has raised alert '{}'", rule.name(), e);
    }
  }

  private Optional<WorkflowInstance> last(String rule) {
    InstanceQuery query =
        InstanceQuery.all()
            .type(AlertWorkflow.TYPE)
            .businessKey(rule)
            .executorGroup(executorGroup)
            .limit(1);
    return store.queries().search(query, null).items().stream().findFirst();
  }

  @Override
  public void close() {
    Loop present = loop;
    if (present != null) {
      present.stop(PATIENCE);
    }
  }
}
