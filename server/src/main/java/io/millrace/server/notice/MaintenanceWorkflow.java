package io.millrace.server.notice;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance from its plan to its end. Every stage and every change of the plan is announced.
 */
final class MaintenanceWorkflow {

  static final String TYPE = "millrace-maintenance";

  /** The signal that brings it further, or changes its plan. */
  static final String ORDER = "order";

  static final String STANDING = "standing";

  private final Announcer announcer;

  /** Tells those who want to know. */
  @FunctionalInterface
  interface Announcer {
    /**
     * Does nothing for those who have been told already.
     *
     * @param news the same for the same news
     */
    void announce(Maintenance maintenance, String news) throws Exception;
  }

  /**
   * What somebody wants of it.
   *
   * @param to null to stay where it is
   * @param plan null to leave it
   */
  record Order(@Nullable Stage to, @Nullable MaintenancePlan plan) {}

  /**
   * The variable that tells where it is.
   *
   * @param revision counts the plans, from 1
   * @param since when it came to its stage
   */
  record Standing(MaintenancePlan plan, int revision, Instant since) {}

  MaintenanceWorkflow(Announcer announcer) {
    this.announcer = announcer;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .description("A planned maintenance, of which everybody is told who wants to be.")
        .input(MaintenancePlan.class)
        .start(Stage.SCHEDULED.code(), ctx -> run(ctx, Stage.SCHEDULED))
        .state(Stage.IN_PROGRESS.code(), ctx -> run(ctx, Stage.IN_PROGRESS))
        .state(Stage.VERIFYING.code(), ctx -> run(ctx, Stage.VERIFYING))
        .end(Stage.COMPLETED.code())
        .end(Stage.CANCELLED.code())
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)).maxAttempts(1000))
        .build();
  }

  private Next run(StateContext ctx, Stage stage) throws Exception {
    Optional<Standing> stored = ctx.find(STANDING, Standing.class);
    if (stored.isEmpty()) {
      MaintenancePlan plan = ctx.input(MaintenancePlan.class);
      return enter(ctx, stage, new Standing(plan, 1, time(ctx)), "planned");
    }
    Standing now = stored.get();
    Optional<ReceivedSignal> order = ctx.signal(ORDER);
    if (order.isPresent()) {
      return follow(ctx, stage, now, order.get().payload(Order.class));
    }
    Instant end = endOf(stage, now.plan);
    return end != null && !ctx.now().isBefore(end)
        ? enter(ctx, onTime(stage), new Standing(now.plan, now.revision, time(ctx)), "it is time")
        : rest(ctx, stage, now.plan, "waits");
  }

  private Next follow(StateContext ctx, Stage stage, Standing now, Order order) throws Exception {
    Stage to = order.to();
    if (to != null && !stage.next().contains(to)) {
      return rest(ctx, stage, now.plan, "an order to go to " + to.code() + " came too late");
    }
    MaintenancePlan plan = order.plan();
    Standing next =
        new Standing(
            plan == null ? now.plan : plan,
            plan == null ? now.revision : now.revision + 1,
            to == null ? now.since : time(ctx));
    return enter(
        ctx, to == null ? stage : to, next, to == null ? "the plan was changed" : "by order");
  }

  /** What is announced counts when this answer is accepted; the next attempt says the same. */
  private Next enter(StateContext ctx, Stage stage, Standing next, String reason) throws Exception {
    ctx.set(STANDING, next);
    announcer.announce(
        new Maintenance(ctx.instanceId(), stage, next.plan, next.revision, next.since),
        ctx.idempotencyKey() + "|" + stage.code() + "|" + next.revision);
    return stage.isOpen() ? rest(ctx, stage, next.plan, reason) : Next.moveTo(stage.code(), reason);
  }

  /** The same for every attempt, since what has been said must not change. */
  private static Instant time(StateContext ctx) throws Exception {
    return ctx.once("now", Instant.class, ctx::now);
  }

  private static Next rest(StateContext ctx, Stage stage, MaintenancePlan plan, String reason) {
    Instant end = endOf(stage, plan);
    Duration limit = end == null ? null : Duration.between(ctx.now(), end);
    return Next.waitForSignal(
        stage.code(), ORDER, limit == null || !limit.isNegative() ? limit : Duration.ZERO, reason);
  }

  /** When a stage ends by itself; null for not at all. */
  private static @Nullable Instant endOf(Stage stage, MaintenancePlan plan) {
    if (!plan.automatic()) {
      return null;
    }
    return switch (stage) {
      case SCHEDULED -> plan.from();
      case IN_PROGRESS -> plan.until();
      default -> null;
    };
  }

  private static Stage onTime(Stage stage) {
    return stage == Stage.SCHEDULED ? Stage.IN_PROGRESS : Stage.COMPLETED;
  }
}
