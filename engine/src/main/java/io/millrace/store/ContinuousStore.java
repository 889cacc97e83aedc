package io.millrace.store;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Continuous workflows: whether they are enabled, their owners, and the positions of their
 * triggers. A write of an owner is accepted only while it is the {@link Owner}, with the row locked
 * in the same transaction; a former owner cannot write. Ownership ends with the executor's lease:
 * {@link ExecutorStore#recover} and {@link ExecutorStore#markStopped} release all workflows of the
 * executor, in their transaction. All times are the database's. Every change of whether a workflow
 * runs adds a {@link LogEntry} in the same transaction.
 */
public interface ContinuousStore {

  /** The right to write for the trigger of a workflow. */
  record Owner(String name, long executorId, long epoch) {}

  /**
   * A workflow as registered by code.
   *
   * @param enabled true if a new workflow is enabled
   */
  record Registration(StoredContinuousWorkflow.Identity identity, boolean enabled) {}

  /**
   * Adds missing workflows, and updates the identity of the others. Whether they are enabled and
   * the positions of their triggers stay.
   */
  void register(List<Registration> workflows);

  /**
   * Removes a workflow that is disabled and has no owner, with its log and its memory. Where those
   * are more rows than {@link RetentionStore#ROWS_PER_PART}, they are gone from all reads at once,
   * and are deleted by {@link #resumeRemovals} or before the name is registered again.
   *
   * @return false if it is enabled, has an owner, or does not exist
   */
  boolean remove(String name);

  /**
   * Continues the removal of each removed workflow of which rows are left, by any process. Returns
   * how many parts of {@link RetentionStore#ROWS_PER_PART} rows were deleted.
   */
  int resumeRemovals();

  /**
   * Deletes all but the newest {@code keep} log entries, of at most {@code limit} workflows.
   * Returns the number of those workflows.
   */
  int trimLog(int keep, int limit);

  Optional<StoredContinuousWorkflow> find(String name);

  /**
   * Returns workflows by name.
   *
   * @param after the last name of the previous page; null for the first page
   */
  List<StoredContinuousWorkflow> list(Filter filter, @Nullable String after, int limit);

  /**
   * A filter of workflows; null matches all.
   *
   * @param text part of the name, in any case
   * @param unhealthy true for enabled workflows that do not run, are backing off, or crash in a
   *     loop
   */
  record Filter(
      @Nullable String executorGroup,
      @Nullable Boolean enabled,
      @Nullable Long executorId,
      @Nullable String text,
      boolean unhealthy) {
    public static final Filter ALL = new Filter(null, null, null, null, false);
  }

  /**
   * Enables or disables a workflow; enabling it starts a new series. Audited in the same
   * transaction. Does nothing if it is so already.
   *
   * @return false if there is no such workflow
   */
  boolean setEnabled(String name, boolean enabled, OperatorAction action);

  /**
   * Sends a request to the owner. The last request stands. Audited in the same transaction.
   *
   * @param preferred for {@link StoredContinuousWorkflow.OwnerRequest#MOVE}; null otherwise
   * @return false if there is no such workflow
   */
  boolean request(
      String name,
      StoredContinuousWorkflow.OwnerRequest ownerRequest,
      @Nullable Long preferred,
      OperatorAction action);

  /**
   * Prevents continuations of a workflow until {@code limit} from now; zero ends that. Must be
   * called repeatedly during a debug session. Only its start and end are logged.
   *
   * @return false if there is no such workflow
   */
  boolean debug(String name, Duration limit, OperatorAction action);

  /**
   * Returns the number of enabled workflows that each executor of a group owns; those without owner
   * under 0.
   */
  Map<Long, Integer> ownedCounts(String executorGroup);

  /**
   * Returns names of the group's enabled workflows that have no owner and are not backing off,
   * those first that prefer this executor. For the first five seconds, workflows that prefer
   * another living executor that claims work are left to it.
   */
  List<String> unowned(String executorGroup, long executorId, int limit);

  /**
   * Makes an executor the owner of those named workflows that still have none. Each gets the next
   * epoch and starts its next generation, with the mode and the reason that were recorded for it.
   * Rows that another transaction has locked are skipped. None is claimed if the executor's lease
   * has expired, or it claims no new work.
   */
  List<StoredContinuousWorkflow> claim(long executorId, List<String> names);

  /** Returns the epochs of all workflows that an executor owns, by name. */
  Map<String, Long> owned(long executorId);

  /** Returns the workflows of an executor that others have changed since {@link #acknowledge}. */
  List<StoredContinuousWorkflow> changed(long executorId);

  /**
   * Records that the owner has seen the workflow at this revision; its request, if any, is done.
   */
  void acknowledge(Owner owner, int revision);

  /**
   * Records that a trigger has fired: its position and the execution that the event starts, in one
   * transaction. Nothing is written if the owner has changed, another generation runs, or the end
   * of the previous execution has not been acknowledged. If an execution with the same external id
   * exists, it stands for the event: only the position is written, and the trigger waits for its
   * end. An event of a period claims that in the ledger in the same transaction. If another holder
   * has the period, or it is over, only the position is written.
   */
  FireResult fire(TriggerFire fire);

  /**
   * An event.
   *
   * @param position of the trigger behind the event; null to keep it
   * @param execution its external id makes a repeated fire harmless
   * @param offered the id of the {@link OfferedEvent} that this is; null for none
   * @param period the period of which it is the only event; null for none
   * @param memory written with the position
   */
  record TriggerFire(
      Owner owner,
      long generation,
      @Nullable String position,
      NewInstance execution,
      @Nullable Long offered,
      @Nullable FirePeriod period,
      MemoryChange memory) {

    /** Creates a fire that changes no items of the trigger's memory. */
    public TriggerFire(
        Owner owner,
        long generation,
        @Nullable String position,
        NewInstance execution,
        @Nullable Long offered,
        @Nullable FirePeriod period) {
      this(owner, generation, position, execution, offered, period, MemoryChange.NONE);
    }

    /** Creates a fire without a period. */
    public TriggerFire(
        Owner owner,
        long generation,
        @Nullable String position,
        NewInstance execution,
        @Nullable Long offered) {
      this(owner, generation, position, execution, offered, null);
    }
  }

  /**
   * A change of the items that a trigger remembers.
   *
   * @param added items that exist afterwards, even if they are removed as well
   * @param removed items that may be missing
   */
  record MemoryChange(List<String> added, List<String> removed) {
    public static final MemoryChange NONE = new MemoryChange(List.of(), List.of());

    public MemoryChange {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /** Returns all items that the trigger of a workflow remembers. */
  Set<String> memory(String name);

  /**
   * A period in which a trigger fires once.
   *
   * @param missed periods of the same key that passed while no engine could fire
   */
  record FirePeriod(PeriodId id, List<PeriodId> missed) {

    /** The reason of periods that were missed. */
    public static final String MISSED = "its time passed while no node could fire its trigger";

    private static final Duration LEASE = Duration.ofMinutes(1);

    public FirePeriod {
      missed = List.copyOf(missed);
    }

    /** Returns why missed periods did not run. */
    public String whyMissed() {
      return MISSED;
    }

    /** Returns the claim, of one attempt: a failure is retried as an instance. */
    public PeriodClaimRequest claim(Owner owner) {
      return new PeriodClaimRequest(id, owner.name(), owner.executorId(), null, LEASE, 1);
    }
  }

  /** The result of a fire. */
  sealed interface FireResult {
    record Started(long executionId, Instant at) implements FireResult {}

    /** The event had come before. */
    record Duplicate(long executionId) implements FireResult {}

    /** The period of the event is over without it; the position is behind it. */
    record PeriodClosed(PeriodEntry period) implements FireResult {}

    /** Another holder has the period of the event and may still release it; nothing changed. */
    record PeriodHeld(PeriodEntry period) implements FireResult {}

    /** Another executor owns the workflow, or another generation of it runs. */
    record NotOwner() implements FireResult {}
  }

  /**
   * Sets a trigger's position to behind an event that starts nothing. That shows that the trigger
   * works, so its failures are cleared.
   *
   * @return false if the owner has changed
   */
  boolean updatePosition(Owner owner, long generation, @Nullable String position);

  /**
   * Records unclaimed and released periods as missed, and sets the trigger's position in the same
   * transaction. An execution may be running.
   *
   * @return the recorded periods; empty if the owner has changed
   */
  Optional<List<PeriodId>> recordMissed(TriggerMiss miss);

  /**
   * The periods for which a trigger has fired no event.
   *
   * @param position of the trigger behind them; null to keep it
   */
  record TriggerMiss(
      Owner owner, long generation, @Nullable String position, List<MissedPeriod> periods) {
    public TriggerMiss {
      periods = List.copyOf(periods);
    }
  }

  /**
   * A period that was missed.
   *
   * @param reason for people
   */
  record MissedPeriod(PeriodId id, String reason) {}

  /**
   * Returns control to the triggers whose execution has ended, was left to an operator, or does not
   * exist any more.
   *
   * @param names workflows to check; empty for all of the executor's
   */
  List<EndedExecution> acknowledgeEnded(long executorId, List<String> names);

  /**
   * An execution for which a trigger need not wait any more.
   *
   * @param result null if it does not exist
   */
  record EndedExecution(String name, long executionId, @Nullable InstanceStatus result) {}

  /**
   * Starts the next generation of those of an executor's workflows that fulfill the four
   * conditions: no debug session is open, no execution runs, an execution has ended since the run
   * started, and the run started {@code minAge} ago or earlier. Epoch and position stay. One
   * statement decides, so that it and {@link #fire} exclude each other.
   *
   * @param names workflows to check; empty for all of the executor's
   * @param reason such as {@code HOURLY}
   */
  List<StoredContinuousWorkflow> continueAsNew(
      long executorId, List<String> names, Duration minAge, String reason);

  /**
   * Releases workflows whose triggers have been stopped; running executions go on.
   *
   * @param reason such as {@code HAND_OVER}; becomes the reason of the next run
   * @param preferred the executor that claims them first; null for any
   * @return number of released workflows
   */
  int release(List<Owner> owners, String reason, @Nullable Long preferred);

  /**
   * Records the failure of a trigger, and releases the workflow, which starts again after the
   * back-off.
   *
   * @return false if the owner has changed
   */
  boolean recordFailure(Owner owner, TriggerFailure triggerFailure);

  /**
   * The failure of a trigger.
   *
   * @param failures failures in a row, including this one
   */
  record TriggerFailure(String error, int failures, Duration backOff, boolean crashLoop) {}

  /**
   * Offers an event to a workflow: stores it until the trigger accepts it, and notifies the owner.
   *
   * @param key a second event with it is dropped, at most 200 characters
   * @param payload JSON text
   * @param most maximum number of offered events that wait for one workflow; 1 or more
   */
  OfferResult offer(String name, String key, String payload, int most);

  /** The result of an offered event. */
  enum OfferResult {
    KEPT,
    /** An event with this key is pending. */
    KNOWN,
    /** The queue is full. */
    FULL,
    /** There is no such workflow. */
    UNKNOWN
  }

  /** Returns the oldest offered events that the trigger has not accepted. */
  List<OfferedEvent> offeredEvents(String name, int limit);

  /**
   * An event that a client has offered to a workflow.
   *
   * @param key the sender's name for it
   * @param payload JSON text
   */
  record OfferedEvent(long id, String key, String payload, Instant at) {}

  /**
   * Returns the log of a workflow, newest first.
   *
   * @param before returns only entries before the one with this id; null for the newest
   */
  List<LogEntry> log(String name, @Nullable Long before, int limit);

  /**
   * An entry of the log of a workflow.
   *
   * @param reason null for none
   * @param executorId null if no executor was involved
   * @param detail for people, such as the actor or the error; null for none
   */
  record LogEntry(
      long id,
      Instant at,
      LogEntryType type,
      @Nullable String reason,
      @Nullable Long executorId,
      RunNumbers run,
      @Nullable String detail) {

    /** The run to which an entry belongs. */
    public record RunNumbers(long series, long generation, long epoch) {}
  }

  /** The type of a log entry. */
  enum LogEntryType {
    ENABLED,
    DISABLED,
    STARTED,
    CONTINUED,
    RELEASED,
    /** The owner died, or could not renew its lease. */
    LOST,
    FAILED,
    CRASH_LOOP,
    DEBUG_STARTED,
    DEBUG_ENDED
  }
}
