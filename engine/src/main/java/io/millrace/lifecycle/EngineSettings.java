package io.millrace.lifecycle;

import io.millrace.instance.StorableText;
import io.millrace.instance.TimeLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an engine. Immutable; the methods return changed copies.
 *
 * @param executorGroup the group whose instances the engine runs; names a queue that several
 *     executors share
 * @param runsInstances false for an engine that starts and controls instances but runs none
 * @param node the node of this engine
 * @param retention of ended instances; they are kept by default
 */
public record EngineSettings(
    String executorGroup,
    boolean runsInstances,
    Dispatching dispatching,
    Leasing leasing,
    Guards guards,
    NodeSettings node,
    Retention retention) {

  /**
   * Settings of claims.
   *
   * @param concurrency maximum number of handlers at the same time
   * @param queueSize maximum number of instances that are claimed ahead of a free place; used only
   *     as far as work is quick
   * @param maxSleep upper limit of the random time after which an idle dispatcher polls again
   * @param channelPatience how long a message over a channel may take before the work is done
   *     without it; zero not to wait for messages
   */
  public record Dispatching(
      int concurrency, int queueSize, Duration maxSleep, Duration channelPatience) {
    public Dispatching {
      maxSleep = TimeLimits.clamp(maxSleep);
      channelPatience = TimeLimits.clamp(channelPatience);
      require(concurrency >= 1, "concurrency", concurrency, "1 or more");
      require(queueSize >= 0, "queue size", queueSize, "0 or more");
      require(maxSleep.isPositive(), "dispatcher sleep", maxSleep, "more than zero");
      require(!channelPatience.isNegative(), "channel patience", channelPatience, "zero or more");
    }
  }

  /**
   * Settings of leases.
   *
   * @param ttl how long a lease runs without being renewed
   * @param renewEvery time between heartbeats; well below {@code ttl}
   * @param maxRecoveries number of deaths of its holder in a row after which an instance is parked
   *     for a person
   */
  public record Leasing(Duration ttl, Duration renewEvery, int maxRecoveries) {
    public Leasing {
      require(renewEvery.isPositive(), "keep-alive interval", renewEvery, "more than zero");
      require(
          ttl.dividedBy(2).compareTo(renewEvery) >= 0,
          "lease time",
          ttl,
          "at least twice the keep-alive interval, " + renewEvery);
      require(maxRecoveries >= 1, "most recoveries", maxRecoveries, "1 or more");
      ttl = TimeLimits.clamp(ttl);
      renewEvery = ttl.dividedBy(2).compareTo(renewEvery) < 0 ? ttl.dividedBy(2) : renewEvery;
    }

    /**
     * Returns the time without a renewal after which a holder drops its instances, before any other
     * executor may recover them.
     */
    public Duration lostAfter() {
      return ttl.minus(takeOverMargin());
    }

    /** Returns how long before the end of its lease a holder drops its instances. */
    public Duration takeOverMargin() {
      return ttl.dividedBy(5);
    }
  }

  /**
   * Limits for misbehaving handlers.
   *
   * @param stuckAfter a handler running longer is reported
   * @param maxVisits how often a chain of immediate moves may enter one state before others get
   *     their turn
   * @param busyLoopDelay the pause for an instance that did so within a second
   * @param startTimeout a claimed instance whose handler has not started after this time is
   *     released, so that other executors can claim it
   */
  public record Guards(
      Duration stuckAfter, int maxVisits, Duration busyLoopDelay, Duration startTimeout) {
    public Guards {
      stuckAfter = TimeLimits.clamp(stuckAfter);
      busyLoopDelay = TimeLimits.clamp(busyLoopDelay);
      startTimeout = TimeLimits.clamp(startTimeout);
      require(stuckAfter.isPositive(), "stuck threshold", stuckAfter, "more than zero");
      require(maxVisits >= 1, "most visits", maxVisits, "1 or more");
      require(!busyLoopDelay.isNegative(), "busy loop delay", busyLoopDelay, "zero or more");
      require(startTimeout.isPositive(), "start timeout", startTimeout, "more than zero");
    }
  }

  /**
   * A node of the cluster, which runs one executor after another.
   *
   * @param name the same for an executor and its successor, and different for every other executor;
   *     null for the name of the machine
   * @param drainGrace how long handlers may go on when the executor stops, before they are
   *     cancelled
   */
  public record NodeSettings(@Nullable String name, Duration drainGrace) {
    private static final int MAX_NAME = 255;

    public NodeSettings {
      drainGrace = TimeLimits.clamp(drainGrace);
      require(
          name == null
              || (!name.isBlank() && name.length() <= MAX_NAME && StorableText.isStorable(name)),
          "node name",
          "'" + name + "'",
          "1 to " + MAX_NAME + " characters, not blank, " + StorableText.EXPECTED);
      require(!drainGrace.isNegative(), "drain grace", drainGrace, "zero or more");
    }
  }

  /**
   * Settings of the retention of ended instances and audit entries.
   *
   * @param archiveAfter time after their end at which instances move to the archive tables; null
   *     for never
   * @param deleteAfter time after their end at which they are deleted; null for never
   * @param deleteArchivedAfter time after their end at which they are deleted from the archive;
   *     null for never
   * @param deleteAuditAfter age at which entries of the audit trail are deleted; null for never
   */
  public record Retention(
      @Nullable Duration archiveAfter,
      @Nullable Duration deleteAfter,
      @Nullable Duration deleteArchivedAfter,
      @Nullable Duration deleteAuditAfter) {
    /** Retention that keeps everything. */
    public static final Retention NONE = new Retention(null, null, null, null);

    public Retention {
      archiveAfter = TimeLimits.limitedOrNull(archiveAfter);
      deleteAfter = TimeLimits.limitedOrNull(deleteAfter);
      deleteArchivedAfter = TimeLimits.limitedOrNull(deleteArchivedAfter);
      deleteAuditAfter = TimeLimits.limitedOrNull(deleteAuditAfter);
      requireAge("archive after", archiveAfter);
      requireAge("delete after", deleteAfter);
      requireAge("delete archived after", deleteArchivedAfter);
      requireAge("delete audit after", deleteAuditAfter);
    }

    /**
     * Returns the age at which records of instances are deleted that outlive these, such as slot
     * records: when the instances are gone from everywhere. Null for never.
     */
    public @Nullable Duration deleteRecordsAfter() {
      if (deleteAfter == null || deleteArchivedAfter == null) {
        return deleteAfter == null ? deleteArchivedAfter : deleteAfter;
      }
      return deleteAfter.compareTo(deleteArchivedAfter) > 0 ? deleteAfter : deleteArchivedAfter;
    }

    private static void requireAge(String name, @Nullable Duration age) {
      require(age == null || age.isPositive(), name, String.valueOf(age), "more than zero");
    }
  }

  public EngineSettings {
    require(
        !executorGroup.isBlank()
            && executorGroup.length() <= 100
            && StorableText.isStorable(executorGroup),
        "executor group",
        "'" + executorGroup + "'",
        "1 to 100 characters, not blank, " + StorableText.EXPECTED);
  }

  /** Returns the time that handlers may continue after a stop before they are cancelled. */
  public Duration drainGrace() {
    return node.drainGrace;
  }

  /**
   * Returns the default settings: 64 handlers at a time, leases of 10 seconds renewed every 2, idle
   * sleep up to a second, 5 minutes to drain.
   */
  public static EngineSettings defaults() {
    return new EngineSettings(
        "millrace",
        true,
        new Dispatching(64, 448, Duration.ofSeconds(1), Duration.ofSeconds(30)),
        new Leasing(Duration.ofSeconds(10), Duration.ofSeconds(2), 5),
        new Guards(Duration.ofSeconds(60), 100, Duration.ofSeconds(1), Duration.ofSeconds(5)),
        new NodeSettings(null, Duration.ofMinutes(5)),
        Retention.NONE);
  }

  public EngineSettings executorGroup(String name) {
    return new EngineSettings(name, runsInstances, dispatching, leasing, guards, node, retention);
  }

  public EngineSettings runsInstances(boolean runs) {
    return new EngineSettings(executorGroup, runs, dispatching, leasing, guards, node, retention);
  }

  public EngineSettings concurrency(int handlers) {
    return with(
        new Dispatching(
            handlers, dispatching.queueSize, dispatching.maxSleep, dispatching.channelPatience));
  }

  public EngineSettings queueSize(int instances) {
    return with(
        new Dispatching(
            dispatching.concurrency, instances, dispatching.maxSleep, dispatching.channelPatience));
  }

  public EngineSettings maxSleep(Duration limit) {
    return with(
        new Dispatching(
            dispatching.concurrency, dispatching.queueSize, limit, dispatching.channelPatience));
  }

  public EngineSettings channelPatience(Duration limit) {
    return with(
        new Dispatching(
            dispatching.concurrency, dispatching.queueSize, dispatching.maxSleep, limit));
  }

  public EngineSettings lease(Duration ttl, Duration renewEvery) {
    return with(new Leasing(ttl, renewEvery, leasing.maxRecoveries));
  }

  public EngineSettings maxRecoveries(int times) {
    return with(new Leasing(leasing.ttl, leasing.renewEvery, times));
  }

  public EngineSettings stuckAfter(Duration threshold) {
    return with(new Guards(threshold, guards.maxVisits, guards.busyLoopDelay, guards.startTimeout));
  }

  public EngineSettings busyLoopGuard(int maxVisits, Duration delay) {
    return with(new Guards(guards.stuckAfter, maxVisits, delay, guards.startTimeout));
  }

  /** Sets the time after which a claimed instance is released whose handler has not started. */
  public EngineSettings startTimeout(Duration limit) {
    return with(new Guards(guards.stuckAfter, guards.maxVisits, guards.busyLoopDelay, limit));
  }

  /** Sets the name of this engine's node; null for the name of the machine. */
  public EngineSettings nodeName(@Nullable String name) {
    return with(new NodeSettings(name, node.drainGrace));
  }

  public EngineSettings drainGrace(Duration limit) {
    return with(new NodeSettings(node.name, limit));
  }

  public EngineSettings retention(Retention policy) {
    return new EngineSettings(
        executorGroup, runsInstances, dispatching, leasing, guards, node, policy);
  }

  private EngineSettings with(Dispatching changed) {
    return new EngineSettings(
        executorGroup, runsInstances, changed, leasing, guards, node, retention);
  }

  private EngineSettings with(Leasing changed) {
    return new EngineSettings(
        executorGroup, runsInstances, dispatching, changed, guards, node, retention);
  }

  private EngineSettings with(Guards changed) {
    return new EngineSettings(
        executorGroup, runsInstances, dispatching, leasing, changed, node, retention);
  }

  private EngineSettings with(NodeSettings changed) {
    return new EngineSettings(
        executorGroup, runsInstances, dispatching, leasing, guards, changed, retention);
  }

  private static void require(boolean valid, String name, Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(
          "Engine setting: " + name + " is " + value + ", expected " + expected + ".");
    }
  }
}
