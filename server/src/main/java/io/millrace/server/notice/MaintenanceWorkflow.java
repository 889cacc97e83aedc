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
 * The workflow of a maintenance, from its plan to its end. Every stage and every change of the plan
 * is announced.
 */
final class MaintenanceWorkflow {

  static final String TYPE = "millrace-maintenance";

  /** The signal that changes the stage or the plan. */
  static final String ORDER = "order";

  static final String STANDING = "standing";

  private final Announcer announcer;

  /** An announcer that notifies subscribers. */
  @FunctionalInterface
  interface Announcer {
    /**
     * Announces a change. Does nothing for subscribers that have been notified already.
     *
     * @param news id of the change, the same for every attempt
     */
    void announce(Maintenance maintenance, String news) throws Exception;
  }

  /**
   * A change of a maintenance.
   *
   * @param to the new stage; null to keep the stage
   * @param plan the new plan; null to keep the plan
   */
  record ChangeRequest(@Nullable MaintenanceStage to, @Nullable MaintenancePlan plan) {}

  /**
   * The variable that holds the current state of a maintenance.
   *
   * @param revision number of the plan, from 1
   * @param since time at which it entered its stage
   */
  record Status(MaintenancePlan plan, int revision, Instant since) {}

  MaintenanceWorkflow(Announcer announcer) {
    this.announcer = announcer;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .description("A planned maintenance, with its notices to subscribers.")
        .input(MaintenancePlan.class)
        .start(MaintenanceStage.SCHEDULED.code(), ctx -> run(ctx, MaintenanceStage.SCHEDULED))
        .state(MaintenanceStage.IN_PROGRESS.code(), ctx -> run(ctx, MaintenanceStage.IN_PROGRESS))
        .state(MaintenanceStage.VERIFYING.code(), ctx -> run(ctx, MaintenanceStage.VERIFYING))
        .end(MaintenanceStage.COMPLETED.code())
        .end(MaintenanceStage.CANCELLED.code())
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)).maxAttempts(1000))
        .build();
  }

  private Next run(StateContext ctx, MaintenanceStage maintenanceStage) throws Exception {
    Optional<Status> stored = ctx.find(STANDING, Status.class);
    if (stored.isEmpty()) {
      MaintenancePlan plan = ctx.input(MaintenancePlan.class);
      return enter(ctx, maintenanceStage, new Status(plan, 1, time(ctx)), "planned");
    }
    Status now = stored.get();
    Optional<ReceivedSignal> order = ctx.signal(ORDER);
    if (order.isPresent()) {
      return follow(ctx, maintenanceStage, now, order.get().payload(ChangeRequest.class));
    }
    Instant end = endOf(maintenanceStage, now.plan);
    return end != null && !ctx.now().isBefore(end)
        ? enter(
            ctx,
            onTime(maintenanceStage),
            new Status(now.plan, now.revision, time(ctx)),
            "it is time")
        : rest(ctx, maintenanceStage, now.plan, "waits");
  }

  private Next follow(
      StateContext ctx, MaintenanceStage maintenanceStage, Status now, ChangeRequest changeRequest)
      throws Exception {
    MaintenanceStage to = changeRequest.to();
    if (to != null && !maintenanceStage.next().contains(to)) {
      return rest(
          ctx, maintenanceStage, now.plan, "an order to go to " + to.code() + " came too late");
    }
    MaintenancePlan plan = changeRequest.plan();
    Status next =
        new Status(
            plan == null ? now.plan : plan,
            plan == null ? now.revision : now.revision + 1,
            to == null ? now.since : time(ctx));
    return enter(
        ctx,
        to == null ? maintenanceStage : to,
        next,
        to == null ? "the plan was changed" : "by order");
  }

  /**
   * Announces a new stage or plan. The announcement is valid once this attempt is saved, and a
   * repeated attempt announces the same.
   */
  private Next enter(
      StateContext ctx, MaintenanceStage maintenanceStage, Status next, String reason)
      throws Exception {
    ctx.set(STANDING, next);
    announcer.announce(
        new Maintenance(ctx.instanceId(), maintenanceStage, next.plan, next.revision, next.since),
        ctx.idempotencyKey() + "|" + maintenanceStage.code() + "|" + next.revision);
    return maintenanceStage.isOpen()
        ? rest(ctx, maintenanceStage, next.plan, reason)
        : Next.moveTo(maintenanceStage.code(), reason);
  }

  /**
   * Returns the current time, the same for every attempt, since an announcement must not change.
   */
  private static Instant time(StateContext ctx) throws Exception {
    return ctx.once("now", Instant.class, ctx::now);
  }

  private static Next rest(
      StateContext ctx, MaintenanceStage maintenanceStage, MaintenancePlan plan, String reason) {
    Instant end = endOf(maintenanceStage, plan);
    Duration limit = end == null ? null : Duration.between(ctx.now(), end);
    return Next.waitForSignal(
        maintenanceStage.code(),
        ORDER,
        limit == null || !limit.isNegative() ? limit : Duration.ZERO,
        reason);
  }

  /** Returns the time at which a stage ends automatically; null if it does not. */
  private static @Nullable Instant endOf(MaintenanceStage maintenanceStage, MaintenancePlan plan) {
    if (!plan.automatic()) {
      return null;
    }
    return switch (maintenanceStage) {
      case SCHEDULED -> plan.from();
      case IN_PROGRESS -> plan.until();
      default -> null;
    };
  }

  private static MaintenanceStage onTime(MaintenanceStage maintenanceStage) {
    return maintenanceStage == MaintenanceStage.SCHEDULED
        ? MaintenanceStage.IN_PROGRESS
        : MaintenanceStage.COMPLETED;
  }
}
