package io.millrace.server.notice;

import io.millrace.WorkflowClient;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutService;
import io.millrace.continuous.UnknownRolloutException;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.MillraceException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StopReason;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An announcer of rollouts as maintenance. The node that runs an attempt of a rollout starts one
 * instance per rollout, which follows the rollout to its end, so the announcements continue
 * whichever nodes leave. Recycles are published as windows, not individually. Thread-safe.
 */
public final class RolloutAnnouncer implements EngineListener {

  static final String TYPE = "millrace-rollout-notice";

  private static final Logger LOG = LoggerFactory.getLogger(RolloutAnnouncer.class);
  private static final String ROLLOUT = "millrace-rollout";
  private static final String FOLLOW = "follow";
  private static final String MAINTENANCE = "maintenance";
  private static final OperatorAction ACTION = OperatorAction.by(TYPE);
  private static final Duration POLL = Duration.ofSeconds(5);
  private static final Duration SELDOM = Duration.ofMinutes(1);

  /**
   * Usual upper limit of the time that a node is unavailable; the planned end is only an estimate.
   */
  private static final Duration A_NODE = Duration.ofMinutes(6);

  /** Upper limit of the known rollouts, more than are ever active at the same time. */
  private static final int MAX_KNOWN = 1000;

  private final Executor executor;
  private final Set<Long> known = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Connected engine;

  private record Connected(
      WorkflowClient client, RolloutService rollouts, MaintenanceService notices) {}

  /** The rollout that an instance follows. */
  record Followed(long rolloutId) {}

  /**
   * @param executor runs work that must not block the engine
   */
  public RolloutAnnouncer(Executor executor) {
    this.executor = executor;
  }

  /**
   * Connects the announcer after the engine has started. A rollout that started earlier is noticed
   * with a later transition.
   */
  public void connect(
      WorkflowClient client, RolloutService rollouts, MaintenanceService maintenanceService) {
    engine = new Connected(client, rollouts, maintenanceService);
  }

  /** Returns the workflow to register with the engine. */
  public WorkflowDefinition workflow() {
    return WorkflowDefinition.of(TYPE)
        .description("Follows a rollout, and tells of it as of maintenance.")
        .input(Followed.class)
        .start(FOLLOW, this::follow)
        .end("told")
        .permit(FOLLOW, FOLLOW, "told")
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)).maxAttempts(1000))
        .build();
  }

  @Override
  public void onEvent(EngineEvent event) {
    Connected present = engine;
    if (present != null
        && event instanceof EngineEvent.TransitionSaved saved
        && saved.type().equals(ROLLOUT)
        && known.add(saved.instanceId())) {
      executor.execute(() -> begin(present, saved.instanceId()));
    }
  }

  private void begin(Connected present, long rolloutId) {
    try {
      if (present.rollouts.get(rolloutId).reason() == StopReason.ROLLOUT) {
        present.client.start(
            StartRequest.of(TYPE, new Followed(rolloutId)).externalId("rollout-" + rolloutId));
      }
    } catch (MillraceException e) {
      known.remove(rolloutId);
      LOG.debug("Rollout {} is announced with a later transition", rolloutId, e);
    }
    if (known.size() > MAX_KNOWN) {
      known.clear();
    }
  }

  private Next follow(StateContext ctx) {
    Connected present = engine;
    if (present == null) {
      return Next.moveAfter(FOLLOW, POLL, "the engine starts");
    }
    Optional<Rollout> found = find(present, ctx.input(Followed.class).rolloutId());
    if (found.isEmpty()) {
      return Next.moveTo("told", "the rollout is no longer there");
    }
    Rollout rollout = found.get();
    Optional<Long> told = ctx.find(MAINTENANCE, Long.class);
    if (told.isEmpty()) {
      return rollout.nodes().isEmpty() ? untold(rollout) : plan(present.notices, ctx, rollout);
    }
    MaintenanceStage now = present.notices.get(told.get()).stage();
    MaintenanceStage next = now.isOpen() ? towards(now, rollout) : now;
    if (next != now) {
      present.notices.advance(told.get(), next, ACTION);
    }
    return rollout.phase().isTerminal() && !next.isOpen()
        ? Next.moveTo("told", "the rollout is " + words(rollout) + ", which is told")
        : rest(rollout);
  }

  private static Optional<Rollout> find(Connected present, long id) {
    try {
      return Optional.of(present.rollouts.get(id));
    } catch (UnknownRolloutException e) {
      return Optional.empty();
    }
  }

  private static Next untold(Rollout rollout) {
    return rollout.phase().isTerminal()
        ? Next.moveTo("told", "it ended before it began")
        : rest(rollout);
  }

  private static Next rest(Rollout rollout) {
    boolean soon = rollout.phase() == Rollout.Phase.RUNNING || rollout.phase().isTerminal();
    return Next.moveAfter(FOLLOW, soon ? POLL : SELDOM, "the rollout is " + words(rollout));
  }

  private static String words(Rollout rollout) {
    return rollout.phase().name().toLowerCase(Locale.ROOT);
  }

  private static Next plan(
      MaintenanceService maintenanceService, StateContext ctx, Rollout rollout) {
    int nodes = rollout.nodes().size();
    Instant from = rollout.origin().asked().truncatedTo(ChronoUnit.SECONDS);
    long id =
        maintenanceService.plan(
            new MaintenancePlan(
                "Update of the servers",
                nodes == 1
                    ? "A server is replaced. Work goes on."
                    : nodes + " servers are replaced, one after another. Work goes on.",
                List.of(),
                MaintenancePlan.Impact.NONE,
                from,
                from.plus(A_NODE.multipliedBy(nodes)),
                false),
            "rollout-" + rollout.id());
    ctx.set(MAINTENANCE, id);
    return Next.moveTo(FOLLOW, "it is told as maintenance " + id);
  }

  /**
   * Returns the next stage on the way to the stage of the rollout, or the current one if they are
   * the same.
   */
  private static MaintenanceStage towards(MaintenanceStage now, Rollout rollout) {
    MaintenanceStage aim = aim(rollout);
    if (aim == now || now.next().contains(aim)) {
      return aim;
    }
    if (now == MaintenanceStage.SCHEDULED) {
      return MaintenanceStage.IN_PROGRESS;
    }
    // From this stage, all others can be reached.
    return now == MaintenanceStage.VERIFYING ? MaintenanceStage.IN_PROGRESS : now;
  }

  private static MaintenanceStage aim(Rollout rollout) {
    return switch (rollout.phase()) {
      case QUEUED, RUNNING, PAUSED ->
          isLast(rollout) ? MaintenanceStage.VERIFYING : MaintenanceStage.IN_PROGRESS;
      case COMPLETED -> MaintenanceStage.COMPLETED;
      case ABORTED, FAILED -> MaintenanceStage.CANCELLED;
    };
  }

  /** True if the last node has returned and must show that it stays ready. */
  private static boolean isLast(Rollout rollout) {
    Rollout.CurrentNode currentNode = rollout.progress().current();
    return currentNode != null
        && currentNode.stage() == Rollout.Stage.RETURNING
        && rollout.done() == rollout.nodes().size() - 1;
  }
}
