package io.millrace.server.observe;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.retry.RetryPolicy;
import io.millrace.server.config.ObservabilityConfig;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of an alert. It sends a message at the start, reminders after each mute time, and a
 * message at the end. As an instance, an alert survives the loss of any node, its messages are
 * retried like any attempt, and an operator can pause it to silence it.
 */
final class AlertWorkflow {

  static final String TYPE = "millrace-alert";

  /** The signal that the condition no longer holds. */
  static final String OVER = "over";

  /**
   * Retries for about three hours; then the message is given up, and the next reminder is tried.
   */
  private static final RetryPolicy RETRIES =
      RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofMinutes(15)).maxAttempts(20);

  private enum State {
    RAISE,
    LOOK,
    REMIND,
    UNHEARD,
    RESOLVE
  }

  private final Map<String, ObservabilityConfig.Alert> rules;
  private final AlertSender alertSender;
  private final Function<ObservabilityConfig.Alert, AlertEvaluator.Finding> now;

  /**
   * @param rules by name
   * @param now evaluates the rule again, for reminders
   */
  AlertWorkflow(
      Map<String, ObservabilityConfig.Alert> rules,
      AlertSender alertSender,
      Function<ObservabilityConfig.Alert, AlertEvaluator.Finding> now) {
    this.rules = Map.copyOf(rules);
    this.alertSender = alertSender;
    this.now = now;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE, State.class)
        .description("Tells people of an alert, reminds them, and tells them when it is over.")
        .start(State.RAISE, ctx -> tell(ctx, "raised"))
        .state(State.LOOK, this::look)
        .state(State.REMIND, ctx -> tell(ctx, "reminder"))
        .state(State.UNHEARD, ctx -> rest(rule(ctx), "nobody could be told; the next try follows"))
        .state(State.RESOLVE, this::resolve)
        .retry(RETRIES)
        .onFailure(State.RAISE, State.UNHEARD)
        .onFailure(State.REMIND, State.UNHEARD)
        .build();
  }

  /** Returns the name of a condition in the configuration. */
  static String nameOf(ObservabilityConfig.AlertCondition when) {
    return switch (when) {
      case FAILED -> "failed";
      case STUCK -> "stuck";
      case NO_EXECUTOR -> "noExecutor";
      case OLD_WAITING -> "oldWaiting";
      case CONTINUOUS_DOWN -> "continuousDown";
      case PERIOD_MISSED -> "periodMissed";
      case RETENTION_BEHIND -> "retentionBehind";
    };
  }

  private Next tell(StateContext ctx, String event) throws Exception {
    ObservabilityConfig.Alert rule = rule(ctx);
    if (rule == null) {
      return gone();
    }
    Alert alert = ctx.input(Alert.class);
    alertSender.send(
        ctx,
        rule.to(),
        new AlertMessage(
            event,
            event.equals("reminder") ? renewed(alert, rule) : alert,
            ctx.instanceId(),
            ctx.now()));
    return rest(rule, event.equals("raised") ? "told" : "reminded");
  }

  private Alert renewed(Alert alert, ObservabilityConfig.Alert rule) {
    AlertEvaluator.Finding found = now.apply(rule);
    return new Alert(
        alert.rule(),
        alert.when(),
        found.count(),
        alert.threshold(),
        found.detail(),
        alert.since());
  }

  private static Next rest(ObservabilityConfig.@Nullable Alert rule, String reason) {
    return rule == null
        ? gone()
        : Next.waitForSignal(State.LOOK, OVER, rule.silence().mute(), reason);
  }

  private Next look(StateContext ctx) {
    ObservabilityConfig.Alert rule = rule(ctx);
    if (rule == null) {
      return gone();
    }
    if (ctx.signal(OVER).isPresent()) {
      return Next.moveTo(State.RESOLVE, "it is over");
    }
    return rule.silence().isQuiet(ctx.now())
        ? rest(rule, "it goes on, in quiet time")
        : Next.moveTo(State.REMIND, "it goes on");
  }

  private Next resolve(StateContext ctx) throws Exception {
    ObservabilityConfig.Alert rule = rule(ctx);
    if (rule != null) {
      alertSender.send(
          ctx,
          rule.to(),
          new AlertMessage("resolved", ctx.input(Alert.class), ctx.instanceId(), ctx.now()));
    }
    return Next.done("over");
  }

  private ObservabilityConfig.@Nullable Alert rule(StateContext ctx) {
    return rules.get(ctx.input(Alert.class).rule());
  }

  private static Next gone() {
    return Next.done("the configuration has no such rule any more");
  }
}
