package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that what shall run does run: a look every few seconds and when woken. Its one thread
 * decides all that this engine begins and ends; how many statements it takes for that does not
 * depend on how many workflows wait.
 */
final class Monitor {

  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

  /** A reason: somebody has switched it off. */
  static final String SWITCHED_OFF = "SWITCHED_OFF";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Hints of other nodes may come often. */
  private static final Duration BETWEEN_HINTS = Duration.ofMillis(200);

  /** While more is to be opened than may be at a time, or something is being closed. */
  private static final Duration BUSY_REST = Duration.ofMillis(100);

  /** A request that has failed may be carried out as late as that. */
  private static final Duration LATE = Duration.ofSeconds(30);

  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(1);

  private final AlwaysOnStore store;
  private final Catalog catalog;
  private final ContinuousHost host;
  private final ContinuousSettings settings;
  private final Codec codec;
  private final Holding holding;
  private final Runs runs;
  private final Ownership ownership;
  private final Claims claims;
  private final MissedPeriodRecorder recorder;
  private final AtomicLong gaps = new AtomicLong();
  private volatile long comparedGaps;
  private volatile boolean urgent = true;
  private volatile boolean hinted;
  private volatile long suspectUntil;
  private boolean registered;
  private @Nullable Long lastExecutor;
  private long lookedNanos;
  private long nextMinute;
  private long nextContinuation;
  private volatile @Nullable Loop loop;

  /** The parts that know what this engine runs. */
  record Holding(
      Runs runs, OpenTriggers triggers, Ownership ownership, Failures failures, Ends ends) {}

  Monitor(
      AlwaysOnStore store,
      Catalog catalog,
      ContinuousHost host,
      ContinuousSettings settings,
      Codec codec,
      Holding holding) {
    this.store = store;
    this.catalog = catalog;
    this.host = host;
    this.settings = settings;
    this.codec = codec;
    this.holding = holding;
    this.runs = holding.runs();
    this.ownership = holding.ownership();
    this.recorder = new MissedPeriodRecorder(store);
    this.claims = new Claims(store, catalog, host, settings, holding);
    long now = now();
    this.lookedNanos = now;
    this.suspectUntil = now;
    this.nextMinute = now + MINUTE.toNanos();
    Duration check = catalog.checkEvery();
    this.nextContinuation = now + (check == null ? 0 : check.toNanos());
  }

  void start() {
    loop = host.runtime().runner().loop("millrace-continuous", this::tick);
  }

  /** Looks at once. */
  void wake() {
    urgent = true;
    awake();
  }

  /** Looks soon. */
  void hint() {
    hinted = true;
    awake();
  }

  /** A request has failed: for a while what this executor owns is compared at every look. */
  void suspect() {
    suspectUntil = now() + LATE.toNanos();
  }

  /** Something is in a queue of the monitor's. */
  void awake() {
    Loop present = loop;
    if (present != null) {
      present.wake();
    }
  }

  /** The lease has ended: nothing fires before it is known what this executor still owns. */
  void leaseLost() {
    gaps.incrementAndGet();
    host.runtime()
        .runner()
        .runOnPlatform(
            "millrace-close",
            () -> {
              ownership.closeAll();
              // The monitor may have compared before; what was closed since is to be opened again.
              gaps.incrementAndGet();
              wake();
            });
  }

  boolean mayFire() {
    return gaps.get() == comparedGaps && host.leaseRuns();
  }

  private long now() {
    return host.runtime().clock().nanoTime();
  }

  private Duration tick() {
    OptionalLong me = host.executorId();
    if (me.isEmpty()) {
      return settings.lookEvery();
    }
    try {
      settleEnded(me.getAsLong());
      long age = now() - lookedNanos;
      if (urgent
          || age >= settings.lookEvery().toNanos()
          || (hinted && age >= BETWEEN_HINTS.toNanos())) {
        urgent = false;
        hinted = false;
        lookedNanos = now();
        look(me.getAsLong());
      }
    } catch (StoreException e) {
      ownership.doubtAll();
      suspect();
      LOG.debug("Continuous workflows cannot be looked at now", e);
      return settings.lookEvery();
    }
    Duration left = settings.lookEvery().minusNanos(now() - lookedNanos);
    if (hinted && BETWEEN_HINTS.compareTo(left) < 0) {
      return BETWEEN_HINTS;
    }
    return urgent ? BUSY_REST : left.isNegative() ? Duration.ZERO : left;
  }

  private void settleEnded(long me) {
    if (!holding.ends().isEmpty()) {
      List<String> names = holding.ends().take();
      try {
        settle(me, names);
      } catch (StoreException e) {
        names.forEach(holding.ends()::suspect);
        throw e;
      }
    }
  }

  private void settle(long me, List<String> names) {
    for (AlwaysOnStore.Settled settled : store.settle(me, names)) {
      TriggerRun run = runs.find(settled.name());
      LOG.debug("Execution {} of '{}' is over", settled.executionId(), settled.name());
      holding.ends().forget(settled.executionId());
      if (run != null) {
        run.settled(settled.executionId());
      }
    }
  }

  private void look(long me) {
    register();
    if (!sure(me)) {
      return;
    }
    ownership.clear(me);
    if (now() - suspectUntil < 0) {
      ownership.check(me);
    }
    holding.failures().report();
    heed(me);
    if (host.isDraining()) {
      handOver();
      return;
    }
    if (runs.all().stream().anyMatch(run -> run.executing() != null)) {
      settle(me, List.of());
    }
    if (host.takesWork() && claims.claim(me)) {
      urgent = true;
    }
    continueRuns(me);
    everyMinute(me);
    if (ownership.giveBack()) {
      urgent = true;
    }
  }

  private void register() {
    if (!registered) {
      store.register(catalog.registrations(host.executorGroup(), codec));
      registered = true;
    }
  }

  /** After a gap of the lease, what is held is compared with what is owned. */
  private boolean sure(long me) {
    Long before = lastExecutor;
    if (before != null && before != me) {
      ownership.closeAll();
      gaps.incrementAndGet();
    }
    lastExecutor = me;
    if (!host.leaseRuns()) {
      return false;
    }
    long seen = gaps.get();
    if (seen != comparedGaps) {
      ownership.readAll(me);
      comparedGaps = seen;
      LOG.info("Executor {} goes on with {} continuous workflows", me, runs.all().size());
    }
    return true;
  }

  private void heed(long me) {
    List<String> wanted = new ArrayList<>();
    for (AlwaysOn row : store.changed(me)) {
      TriggerRun run = runs.find(row.name());
      if (run == null || run.isRetired()) {
        continue;
      }
      store.heed(run.owner(), row.wish().revision());
      AlwaysOn.Request request = row.wish().request();
      if (row.wish().desired() == AlwaysOn.Desired.OFF) {
        ownership.give(run, SWITCHED_OFF, null);
      } else if (request == null) {
        run.wake();
      } else {
        switch (request) {
          case RESTART -> ownership.give(run, "MANUAL", null);
          case MOVE -> {
            claims.leave(row.name());
            ownership.give(run, "HAND_OVER", row.ownership().preferred());
          }
          case CONTINUE -> wanted.add(row.name());
        }
      }
    }
    ownership.giveBack();
    if (!wanted.isEmpty()) {
      continueRuns(me, wanted, "MANUAL");
    }
  }

  private void continueRuns(long me) {
    Duration every = catalog.checkEvery();
    if (every == null || runs.isEmpty() || now() - nextContinuation < 0) {
      return;
    }
    nextContinuation = now() + every.toNanos();
    List<String> names =
        runs.all().stream()
            .filter(run -> run.hasIterated() && !run.isRetired())
            .map(TriggerRun::name)
            .filter(name -> catalog.continuation(name).enabled())
            .toList();
    continueRuns(me, names, "HOURLY");
  }

  private void continueRuns(long me, List<String> names, String reason) {
    Map<Duration, List<String>> byAge = new HashMap<>();
    for (String name : names) {
      byAge
          .computeIfAbsent(catalog.continuation(name).minAge(), age -> new ArrayList<>())
          .add(name);
    }
    byAge.forEach((minAge, some) -> {
      List<AlwaysOn> next = store.continueAsNew(me, some, minAge, reason);
      next.forEach(ownership::adopt);
      if (reason.equals("MANUAL") && next.size() < some.size()) {
        LOG.info("Of {}, {} could not be continued", some, some.size() - next.size());
      }
    });
  }

  private void everyMinute(long me) {
    if (now() - nextMinute >= 0) {
      nextMinute = now() + MINUTE.toNanos();
      ownership.check(me);
      claims.rebalance(me);
      recorder.recordWhileBusy(List.copyOf(runs.all()), host.runtime().clock().instant());
    }
  }

  /** Stops all triggers and gives them to the other nodes. */
  private void handOver() {
    for (TriggerRun run : runs.all()) {
      if (!run.isRetired()) {
        ownership.give(run, host.reasonOfStop(), null);
      }
    }
    urgent |= ownership.giveBack();
  }

  /** Stops looking, and gives all back; executions that run go on. */
  void stop(Duration patience) {
    ownership.closeAll();
    Loop present = loop;
    if (present == null) {
      return;
    }
    if (!present.stop(patience)) {
      LOG.warn("Continuous workflows are given back when this executor signs off");
      return;
    }
    OptionalLong me = host.executorId();
    if (me.isEmpty() || runs.isEmpty()) {
      return;
    }
    try {
      handOver();
      awaitClosed();
      ownership.giveBack();
    } catch (StoreException e) {
      LOG.warn(
          "{} continuous workflows could not be given back; others take them when this executor"
              + " has signed off: {}",
          runs.all().size(),
          e.getMessage());
    }
  }

  private void awaitClosed() {
    Waiter waiter = host.runtime().runner().waiter();
    long end = now() + CLOSING_PATIENCE.toNanos();
    while (ownership.giveBack() && now() - end < 0) {
      try {
        waiter.await(BUSY_REST);
      } catch (InterruptedException e) {
        LOG.debug("A stop goes on although its thread was interrupted");
      }
    }
    if (holding.triggers().isBusy() && host.interruptible()) {
      holding.triggers().interrupt();
    }
  }
}
