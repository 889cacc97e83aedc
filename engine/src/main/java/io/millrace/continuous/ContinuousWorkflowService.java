package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.extension.EngineServices;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StorableText;
import io.millrace.instance.TimeLimits;
import io.millrace.instance.TooLargeException;
import io.millrace.store.AuditStore;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The continuous workflows of all nodes. Thread-safe. The executor that runs a workflow carries out
 * requests moments later.
 */
public final class ContinuousWorkflowService {

  /** Time after which a debug session ends unless it is extended. */
  public static final Duration DEBUG_LEASE = Duration.ofMinutes(2);

  private static final int MAX_KEY = 200;

  private final ContinuousStore store;
  private final AuditStore audit;
  private final ContinuousWorkflowCatalog catalog;
  private final EngineServices services;
  private final Codec codec;
  private final Runnable wake;
  private final int maxOfferedEvents;

  ContinuousWorkflowService(
      ContinuousEngine.Stores stores,
      ContinuousWorkflowCatalog catalog,
      EngineServices services,
      Codec codec,
      Runnable wake) {
    this.store = stores.continuous();
    this.audit = stores.audit();
    this.catalog = catalog;
    this.services = services;
    this.codec = codec;
    this.wake = wake;
    this.maxOfferedEvents = catalog.maxOfferedEvents();
  }

  /**
   * Returns workflows by name.
   *
   * @param after the last name of the previous page; null for the first page
   */
  public List<StoredContinuousWorkflow> list(Filter filter, @Nullable String after, int limit) {
    return store.list(filter, after, limit);
  }

  /** Returns the workflow; empty if there is none of this name. */
  public Optional<StoredContinuousWorkflow> find(String name) {
    Optional<StoredContinuousWorkflow> found = store.find(name);
    return found.isEmpty() && register(name) ? store.find(name) : found;
  }

  /**
   * Registers a workflow of this engine that is not stored yet, since the supervisor polls a moment
   * after the start.
   */
  private boolean register(String name) {
    if (!catalog.knows(name)) {
      return false;
    }
    store.register(catalog.registrations(services.executorGroup(), codec));
    return true;
  }

  /**
   * Returns the workflow.
   *
   * @throws UnknownContinuousWorkflowException if there is none of this name
   */
  public StoredContinuousWorkflow get(String name) {
    return find(name).orElseThrow(() -> new UnknownContinuousWorkflowException(name));
  }

  /**
   * Enables the workflow, which starts a new series of runs. Has no effect if it is enabled.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public void enable(String name, OperatorAction action) {
    done(name, () -> store.setEnabled(name, true, action));
  }

  /**
   * Disables the workflow; a running execution continues.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public void disable(String name, OperatorAction action) {
    done(name, () -> store.setEnabled(name, false, action));
  }

  /**
   * Closes the trigger and opens it again, on any node.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public void restart(String name, OperatorAction action) {
    done(
        name,
        () -> store.request(name, StoredContinuousWorkflow.OwnerRequest.RESTART, null, action));
  }

  /**
   * Moves the workflow to another executor.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public void move(String name, long executorId, OperatorAction action) {
    done(
        name,
        () -> store.request(name, StoredContinuousWorkflow.OwnerRequest.MOVE, executorId, action));
  }

  /**
   * Starts the next generation on the same node.
   *
   * @throws UnknownContinuousWorkflowException if there is none of this name
   * @throws ContinuationRejectedException if a condition of a continuation does not hold
   */
  public void continueNow(String name, OperatorAction action) {
    List<ContinuationConditions.Unmet> unmet = unmet(name);
    if (!unmet.isEmpty()) {
      throw new ContinuationRejectedException(name, unmet);
    }
    done(
        name,
        () -> store.request(name, StoredContinuousWorkflow.OwnerRequest.CONTINUE, null, action));
  }

  /**
   * Returns the unmet conditions of a continuation; empty if there are none.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public List<ContinuationConditions.Unmet> unmet(String name) {
    StoredContinuousWorkflow row = get(name);
    return ContinuationConditions.unmet(
        row, catalog.leastAge(row, codec), services.runtime().clock().instant());
  }

  /**
   * Starts or extends a debug session: the run is not continued for {@link #DEBUG_LEASE}.
   *
   * @throws UnknownContinuousWorkflowException if there is none of this name
   */
  public void debug(String name, OperatorAction action) {
    done(name, () -> store.debug(name, DEBUG_LEASE, action));
  }

  /**
   * Ends a debug session; does nothing without one.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public void endDebug(String name, OperatorAction action) {
    done(name, () -> store.debug(name, Duration.ZERO, action));
  }

  /**
   * Starts an execution without the trigger, which neither learns of it nor waits for it.
   *
   * @param payload passed to the handler like an event
   * @return id of the execution
   * @throws UnknownContinuousWorkflowException if there is none of this name
   */
  public long runNow(String name, Object payload, OperatorAction action) {
    return run(name, payload, ContinuousStartMode.RUN_NOW, action);
  }

  /**
   * Starts an execution as {@link #runNow} does, in the mode for debugging.
   *
   * @throws UnknownContinuousWorkflowException when there is none of this name
   */
  public long runToDebug(String name, Object payload, OperatorAction action) {
    return run(name, payload, ContinuousStartMode.DEBUG, action);
  }

  private long run(String name, Object payload, ContinuousStartMode mode, OperatorAction action) {
    StoredContinuousWorkflow row = get(name);
    InvalidRequestException.requirePresent(payload, "The payload of a run");
    StartInformation start =
        StartInformation.of(row, mode, "MANUAL", services.runtime().clock().instant());
    long id =
        services
            .start(
                StartRequest.of(row.identity().type(), TriggerEvent.input(start, payload)),
                row.identity().executorGroup())
            .id();
    audit.append(new AuditEntry(action.actor(), "continuous-run", id, name, action.reason(), null));
    return id;
  }

  /**
   * Offers an event to a workflow; it is kept in the database until the trigger accepts it.
   *
   * @param key identifies the event: a second one with it is known, as long as the first is; at
   *     most 200 characters
   * @param payload anything that the engine's codec can write as JSON
   * @return KEPT or KNOWN
   * @throws UnknownContinuousWorkflowException if there is no workflow of this name
   * @throws TooManyOfferedEventsException if the maximum number of offered events waits already
   * @throws TooLargeException if no execution could have an input with the payload
   */
  public OfferResult offer(String name, String key, Object payload) {
    InvalidRequestException.requirePresent(key, "The key of an event");
    if (key.isBlank() || key.length() > MAX_KEY || !StorableText.isStorable(key)) {
      throw new InvalidRequestException(
          "The key of an event for '"
              + name
              + "' has "
              + key.length()
              + " characters; expected 1 to "
              + MAX_KEY
              + ", not blank, "
              + StorableText.EXPECTED
              + ".");
    }
    InvalidRequestException.requirePresent(payload, "The payload");
    requireInputOfExecution(name, payload);
    String json = codec.encode(payload);
    OfferResult result = store.offer(name, key, json, maxOfferedEvents);
    if (result == OfferResult.UNKNOWN && register(name)) {
      result = store.offer(name, key, json, maxOfferedEvents);
    }
    if (result == OfferResult.FULL) {
      throw new TooManyOfferedEventsException(name, maxOfferedEvents);
    }
    if (result == OfferResult.UNKNOWN) {
      throw new UnknownContinuousWorkflowException(name);
    }
    wake();
    return result;
  }

  /**
   * Rejects a payload that is too large as a part of an execution's input: its event would fail the
   * trigger again and again.
   */
  private void requireInputOfExecution(String name, Object payload) {
    StartInformation longest = StartInformation.longest(name, services.executorGroup());
    try {
      codec.encode(TriggerEvent.input(longest, payload));
    } catch (CodecException e) {
      String message =
          "The input of an execution of '" + name + "' with this event: " + e.getMessage();
      throw e.isTooLarge() ? new TooLargeException(message) : new InvalidRequestException(message);
    }
  }

  /**
   * Returns the log of the workflow, newest first.
   *
   * @param before returns only entries before the one with this id; null for the newest
   */
  public List<LogEntry> log(String name, @Nullable Long before, int limit) {
    return store.log(name, before, limit);
  }

  /**
   * Returns how long the workflow was enabled and did not run, in the time before now.
   *
   * @throws UnknownContinuousWorkflowException if there is none of this name
   */
  public Duration downtime(String name, Duration within) {
    StoredContinuousWorkflow row = get(name);
    Instant now = services.runtime().clock().instant();
    return new DowntimeCalculator(store).of(row, TimeLimits.before(now, within), now);
  }

  private void done(String name, BooleanSupplier action) {
    if (!action.getAsBoolean() && !(register(name) && action.getAsBoolean())) {
      throw new UnknownContinuousWorkflowException(name);
    }
    wake();
  }

  private void wake() {
    wake.run();
    services.poll();
  }
}
