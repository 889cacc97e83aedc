package io.millrace.continuous;

import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check, once a minute, whether this node must be recycled. It then starts a rollout of the node:
 * one per cause, whichever node checks and however often.
 */
public final class Recycler {

  private static final Logger LOG = LoggerFactory.getLogger(Recycler.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  /** Number of newest rollouts that are searched for recycles by hand. */
  private static final int NEWEST = 20;

  private static final OperatorAction ACTION = OperatorAction.by("millrace-recycle");

  private static final RecyclePolicy NEVER =
      new RecyclePolicy(RecycleSettings.daily(ZoneOffset.UTC).enabled(false));

  private final String group;
  private final Store store;
  private final RolloutService rollouts;
  private final RecycleSettingsService recycles;
  private final DailyRecycleLedger ledger;
  private final LongSupplier executorId;
  private volatile @Nullable Loop loop;
  private RecycleSettingsService.@Nullable EffectiveSettings known;
  private RecyclePolicy policy;
  private String last = "";

  /** Key of a daily recycle for which another one stands. */
  private String done = "";

  private boolean warned;

  /**
   * Creates a recycler. Nothing runs before {@link #start}.
   *
   * @param executorId the executor whose node is recycled
   */
  public Recycler(
      String group,
      Store store,
      RolloutService rollouts,
      RecycleSettingsService recycles,
      LongSupplier executorId) {
    this.group = group;
    this.store = store;
    this.rollouts = rollouts;
    this.recycles = recycles;
    this.ledger = new DailyRecycleLedger(store.role(PeriodLedgerStore.class), group);
    this.policy = NEVER;
    this.executorId = executorId;
  }

  public void start(Runner runner) {
    loop = runner.loop("millrace-recycle", this::look);
  }

  public void stop(Duration patience) {
    Loop present = loop;
    if (present != null) {
      present.stop(patience);
    }
  }

  private Duration look() {
    try {
      long mine = executorId.getAsLong();
      store.executors().list(group).stream()
          .filter(one -> one.id() == mine && one.state() == ExecutorState.ACTIVE)
          .findFirst()
          .ifPresent(this::look);
    } catch (StoreException e) {
      LOG.debug("Whether this node must be recycled cannot be checked now", e);
    } catch (InvalidRequestException e) {
      warnOnce(e.getMessage());
    }
    return EVERY;
  }

  private void look(ExecutorInfo mine) {
    Instant now = store.queries().now();
    RecycleSettingsService.EffectiveSettings effectiveSettings = inForce();
    RecyclePolicy.NodeSnapshot nodeSnapshot = sight(mine);
    Optional<RecyclePolicy.Cause> cause = policy.evaluate(nodeSnapshot, now, done);
    if (cause.isPresent()) {
      begin(effectiveSettings, mine, cause.get());
    } else if (policy.isFullTooSoon(nodeSnapshot, now)) {
      warnOnce(
          "Node '"
              + nodeSnapshot.node()
              + "' has "
              + nodeSnapshot.heapPercent()
              + " percent of its heap full soon after its start; a recycle would not help, so give it"
              + " more memory");
    }
  }

  /** Returns the settings in force. A change of the settings resets the counts of the policy. */
  private RecycleSettingsService.EffectiveSettings inForce() {
    RecycleSettingsService.EffectiveSettings present = recycles.effective();
    if (!present.equals(known)) {
      known = present;
      Instant since = present.since();
      policy = new RecyclePolicy(present.settings(), since == null ? Instant.MIN : since);
    }
    return present;
  }

  private void begin(
      RecycleSettingsService.EffectiveSettings effectiveSettings,
      ExecutorInfo mine,
      RecyclePolicy.Cause cause) {
    if (last.equals(cause.key())) {
      return;
    }
    RecycleSettings settings = effectiveSettings.settings();
    String node = mine.identity().node().name();
    RecycleSettings.Daily daily = settings.daily();
    PeriodEntry claimed = null;
    if (cause.date() != null && daily != null) {
      DailyRecycleLedger.Day day = new DailyRecycleLedger.Day(node, cause.date(), daily.zone());
      Optional<Rollout> byHand = cause.daily() ? byHand(day) : Optional.empty();
      if (byHand.isPresent()) {
        leave(byHand.get(), node, cause);
        return;
      }
      PeriodClaimResult claim = ledger.claim(day, mine.id(), effectiveSettings.since());
      if (claim instanceof PeriodClaimResult.Claimed(PeriodEntry entry)) {
        claimed = entry;
      } else if (cause.daily()) {
        leave(claim, cause);
        return;
      }
    }
    long id =
        rollouts.startOnce(
            settings.request().nodes(node),
            OperatorAction.by(ACTION.actor(), cause.words()),
            cause.key());
    last = cause.key();
    if (claimed != null) {
      ledger.complete(claimed);
    }
    LOG.info("Node '{}' is recycled by rollout {}: {}", node, id, cause.words());
  }

  /**
   * Returns the recycle that an operator started on a date and that replaces this node, or may
   * still choose it.
   */
  private Optional<Rollout> byHand(DailyRecycleLedger.Day day) {
    return rollouts.list(NEWEST).stream()
        .filter(one -> one.reason() == StopReason.RECYCLE)
        .filter(one -> !one.origin().by().startsWith(ACTION.actor()))
        .filter(one -> one.phase() == Rollout.Phase.COMPLETED || !one.phase().isTerminal())
        .filter(one ->
            one.nodes().contains(day.node())
                || (one.nodes().isEmpty() && !one.phase().isTerminal()))
        .filter(one -> day.date().equals(policy.dateOf(day.node(), one.origin().asked())))
        .findFirst();
  }

  /**
   * Skips the daily recycle because of one by an operator. While that rollout has not chosen this
   * node, it is checked again.
   */
  private void leave(Rollout byHand, String node, RecyclePolicy.Cause cause) {
    if (byHand.nodes().contains(node)) {
      done = cause.key();
      LOG.debug(
          "No recycle ({}): rollout {} by hand was on the same date", cause.words(), byHand.id());
    }
  }

  /**
   * Skips the daily recycle because the ledger has an entry for the date. While its holder is at
   * work, the entry is checked again, since the holder may die.
   */
  private void leave(PeriodClaimResult claim, RecyclePolicy.Cause cause) {
    if (claim instanceof PeriodClaimResult.Taken(PeriodEntry by) && !by.state().isHeld()) {
      done = cause.key();
      LOG.debug("No recycle ({}): the recycle {} was on the same date", cause.words(), by.id());
    }
  }

  private void warnOnce(@Nullable String what) {
    if (!warned) {
      warned = true;
      LOG.warn("{}", what);
    }
  }

  private static RecyclePolicy.NodeSnapshot sight(ExecutorInfo mine) {
    ExecutorInfo.NodeInfo nodeInfo = mine.identity().node();
    Instant began = nodeInfo.processStarted();
    Integer heap = mine.load().heapPercent();
    return new RecyclePolicy.NodeSnapshot(
        nodeInfo.name(), began == null ? mine.started() : began, heap == null ? -1 : heap);
  }
}
