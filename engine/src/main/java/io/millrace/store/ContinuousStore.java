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
 * Continuous workflows: which shall run, which executor owns each, and where its trigger stands.
 * What an owner writes is accepted only while it is the {@link Owner}, with the row locked in the
 * same transaction; one that was taken over from writes nothing more. Ownership ends with the
 * executor's lease: {@link ExecutorStore#recover} and {@link ExecutorStore#markStopped} take all
 * that the executor owned from it, in their transaction. All times are the database's. Whatever
 * changes whether a workflow runs leaves an {@link Event} in the same transaction.
 */
public interface ContinuousStore {

  /** The right to write for the trigger of a workflow. */
  record Owner(String name, long executorId, long epoch) {}

  /**
   * A workflow as the code tells it.
   *
   * @param desired whether it shall run when it is new
   */
  record Registration(
      StoredContinuousWorkflow.Identity identity, StoredContinuousWorkflow.DesiredState desired) {}

  /**
   * Adds the workflows that are missing, and writes what has changed of the others' identity.
   * Whether those shall run, and where their triggers stand, stays.
   */
  void register(List<Registration> workflows);

  /**
   * Removes a workflow that is switched off and has no owner, with its events and its memory.
   *
   * @return false when it shall run, has an owner, or is not there
   */
  boolean remove(String name);

  Optional<StoredContinuousWorkflow> find(String name);

  /**
   * Workflows by name.
   *
   * @param after the last name of the page before; null for the first page
   */
  List<StoredContinuousWorkflow> list(Filter filter, @Nullable String after, int limit);

  /**
   * Which workflows; null stands for all.
   *
   * @param text part of the name, in any case
   * @param unhealthy true for those that shall run and do not, are backing off, or crash in a loop
   */
  record Filter(
      @Nullable String executorGroup,
      StoredContinuousWorkflow.@Nullable DesiredState desired,
      @Nullable Long executorId,
      @Nullable String text,
      boolean unhealthy) {
    public static final Filter ALL = new Filter(null, null, null, null, false);
  }

  /**
   * Says whether a workflow shall run; switched on, it begins a new chain. Audited in the same
   * transaction. Does nothing when it is so already.
   *
   * @return false when there is no such workflow
   */
  boolean setDesiredState(
      String name, StoredContinuousWorkflow.DesiredState desiredState, OperatorAction action);

  /**
   * Asks the owner to do something. The last request stands. Audited in the same transaction.
   *
   * @param preferred for {@link StoredContinuousWorkflow.OwnerRequest#MOVE}; null otherwise
   * @return false when there is no such workflow
   */
  boolean request(
      String name,
      StoredContinuousWorkflow.OwnerRequest ownerRequest,
      @Nullable Long preferred,
      OperatorAction action);

  /**
   * Keeps a workflow from being continued until {@code limit} from now; zero ends that. To be
   * called again and again while somebody looks into it. Only the beginning and the end are events.
   *
   * @return false when there is no such workflow
   */
  boolean debug(String name, Duration limit, OperatorAction action);

  /**
   * Returns the number of enabled workflows that each executor of a group owns; those without owner
   * under 0.
   */
  Map<Long, Integer> ownedCounts(String executorGroup);

  /**
   * Names of the group's workflows that shall run, have no owner and are not backing off, those
   * first that prefer this executor. Those that prefer another one, which lives and takes new work,
   * are left to it for the first five seconds.
   */
  List<String> unowned(String executorGroup, long executorId, int limit);

  /**
   * Makes an executor the owner of those of the named workflows that are still orphans. Each gets
   * the next epoch and begins its next generation, with the mode and the reason that were left for
   * it. Those that another transaction is busy with are left to it, and so are all when the
   * executor's lease has ended, or it takes no new work.
   */
  List<StoredContinuousWorkflow> claim(long executorId, List<String> names);

  /** Returns the epochs of all workflows that an executor owns, by name. */
  Map<String, Long> owned(long executorId);

  /** Returns the workflows of an executor that others have changed since {@link #acknowledge}. */
  List<StoredContinuousWorkflow> changed(long executorId);

  /** The owner has seen the workflow at this revision; its request, if any, is done with. */
  void acknowledge(Owner owner, int revision);

  /**
   * Writes that a trigger has fired: its position and the execution that the event starts, in one
   * transaction. Nothing is written when the owner is not the owner any more, another generation
   * runs, or the execution before has not been settled. An execution with the same external id
   * stands for the event when there is one; then only the position is written, and its end is
   * waited for. One that is the event of a period claims that in the ledger in the same
   * transaction; when somebody else has the period, or it is over, only the position is written.
   */
  FireResult fire(TriggerFire fire);

  /**
   * An event.
   *
   * @param position of the trigger behind the event; null leaves it
   * @param execution whose external id makes a repeated fire harmless
   * @param offer the id of the {@link OfferedEvent} that this is; null when it is none
   * @param period of which it is the one event; null for none
   * @param memory written with the position
   */
  record TriggerFire(
      Owner owner,
      long generation,
      @Nullable String position,
      NewInstance execution,
      @Nullable Long offer,
      @Nullable FirePeriod period,
      MemoryChange memory) {

    /** An event that changes no items of the trigger's memory. */
    public TriggerFire(
        Owner owner,
        long generation,
        @Nullable String position,
        NewInstance execution,
        @Nullable Long offer,
        @Nullable FirePeriod period) {
      this(owner, generation, position, execution, offer, period, MemoryChange.NONE);
    }

    /** Creates a fire without a period. */
    public TriggerFire(
        Owner owner,
        long generation,
        @Nullable String position,
        NewInstance execution,
        @Nullable Long offer) {
      this(owner, generation, position, execution, offer, null);
    }
  }

  /**
   * A change of the items that a trigger remembers.
   *
   * @param added items that are there afterwards, even if they are removed as well
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
   * @param missed periods of the same schedule that passed while nobody could fire
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

    /** The claim, of one attempt: what fails is retried as an instance. */
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
   * Moves a trigger's position without an event.
   *
   * @return false when the owner is not the owner any more
   */
  boolean updatePosition(Owner owner, long generation, @Nullable String position);

  /**
   * Records periods as missed, those that nobody has claimed and those that were released, and
   * moves the trigger's position in the same transaction. An execution may be running.
   *
   * @return those that were recorded; empty when the owner is not the owner any more
   */
  Optional<List<PeriodId>> recordMissed(TriggerMiss miss);

  /**
   * Periods for which a trigger has fired no event.
   *
   * @param position of the trigger behind them; null leaves it
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
   * Gives control back to the triggers whose execution has ended, or was left to a person, or is
   * not there any more.
   *
   * @param names which to look at; empty for all of the executor's
   */
  List<EndedExecution> acknowledgeEnded(long executorId, List<String> names);

  /**
   * An execution that a trigger need not wait for any more.
   *
   * @param result null when it is not there
   */
  record EndedExecution(String name, long executionId, @Nullable InstanceStatus result) {}

  /**
   * Begins the next generation of those of an executor's workflows that fulfil the four conditions:
   * nobody debugs it, its cursor is in the trigger, an execution has ended since the run began, and
   * the run began {@code minAge} ago or earlier. Epoch and position stay. One statement decides, so
   * that it and {@link #fire} exclude each other.
   *
   * @param names which to look at; empty for all of the executor's
   * @param reason such as {@code HOURLY}
   */
  List<StoredContinuousWorkflow> continueAsNew(
      long executorId, List<String> names, Duration minAge, String reason);

  /**
   * Gives workflows back whose triggers have been stopped; executions that run go on.
   *
   * @param reason such as {@code HAND_OVER}; the next run has it
   * @param preferred who shall rather take them; null for any
   * @return how many were given back
   */
  int release(List<Owner> owners, String reason, @Nullable Long preferred);

  /**
   * A trigger has failed: gives the workflow back, not to be started before the back-off is over.
   *
   * @return false when the owner is not the owner any more
   */
  boolean recordFailure(Owner owner, TriggerFailure triggerFailure);

  /**
   * The failure of a trigger.
   *
   * @param restarts failures in a row, with this one
   */
  record TriggerFailure(String error, int restarts, Duration backOff, boolean crashLoop) {}

  /**
   * Keeps an event that came from outside until the trigger takes it, and tells the owner.
   *
   * @param key a second event with it is dropped, at most 200 characters
   * @param payload JSON text
   * @param most so many at most wait for one workflow; 1 or more
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

  /** The oldest offers that no trigger has taken. */
  List<OfferedEvent> pendingOffers(String name, int limit);

  /** An event from outside. */
  record OfferedEvent(long id, String key, String payload, Instant at) {}

  /**
   * Returns the events of a workflow, newest first.
   *
   * @param before only what came before the event with this id; null for the newest
   */
  List<Event> events(String name, @Nullable Long before, int limit);

  /**
   * An event in the life of a workflow.
   *
   * @param reason null when there is none to tell
   * @param executorId null when no executor had to do with it
   * @param detail for people, such as who did it or the error; null for none
   */
  record Event(
      long id,
      Instant at,
      EventType type,
      @Nullable String reason,
      @Nullable Long executorId,
      RunPosition standing,
      @Nullable String detail) {

    /** Which run it happened to. */
    public record RunPosition(long chain, long generation, long epoch) {}
  }

  /** The type of an event. */
  enum EventType {
    SWITCHED_ON,
    SWITCHED_OFF,
    STARTED,
    CONTINUED,
    GIVEN_BACK,
    /** Its owner died, or could not renew its lease. */
    LOST,
    FAILED,
    CRASH_LOOP,
    DEBUG_BEGUN,
    DEBUG_ENDED
  }
}
