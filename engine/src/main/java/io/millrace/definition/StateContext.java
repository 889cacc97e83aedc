package io.millrace.definition;

import io.millrace.codec.TypeRef;
import io.millrace.data.KeyValues;
import io.millrace.data.PeriodLedger;
import io.millrace.data.Reduce;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.StartRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one state, as its handler sees it. Changes to variables, children and consumed
 * signals take effect together with the handler's answer, or not at all. May be used only by the
 * handler's own thread, and only until it answers; {@link #cancelToken}, {@link #stopSignal} and
 * {@link #progress} may be used from other threads.
 */
public interface StateContext {

  /** Work whose outside effect must happen once. */
  @FunctionalInterface
  interface SideEffect {
    void run() throws Exception;
  }

  long instanceId();

  String type();

  String state();

  @Nullable String businessKey();

  @Nullable String externalId();

  /** Returns this attempt's number in the current state, from 1. */
  int attempt();

  /** Returns the number in the history that this attempt gets when its answer is accepted. */
  int seq();

  /**
   * Returns a key for outside effects: the same for every attempt of this visit to the state, and
   * different for every other visit.
   */
  String idempotencyKey();

  /** Returns when this attempt times out; null if the state has no timeout. */
  @Nullable Instant deadline();

  CancelToken cancelToken();

  /**
   * Returns the signal that this executor stops, which comes before {@link #cancelToken} is
   * cancelled at the end of the grace.
   */
  StopSignal stopSignal();

  /** Returns the time by the engine's wall clock. */
  Instant now();

  /**
   * Returns the input of the start.
   *
   * @throws io.millrace.codec.CodecException if there is none or it does not fit {@code type}
   */
  default <T> T input(Class<T> type) {
    return input(TypeRef.of(type));
  }

  /**
   * Returns the input of the start.
   *
   * @throws io.millrace.codec.CodecException if there is none or it does not fit {@code type}
   */
  <T> T input(TypeRef<T> type);

  /**
   * Returns the variable's value.
   *
   * @throws io.millrace.codec.CodecException if there is none or it does not fit {@code type}
   */
  default <T> T get(String name, Class<T> type) {
    return get(name, TypeRef.of(type));
  }

  /**
   * Returns the variable's value.
   *
   * @throws io.millrace.codec.CodecException if there is none or it does not fit {@code type}
   */
  <T> T get(String name, TypeRef<T> type);

  /** Returns the variable's value; empty if it is not set. */
  default <T> Optional<T> find(String name, Class<T> type) {
    return find(name, TypeRef.of(type));
  }

  /** Returns the variable's value; empty if it is not set. */
  <T> Optional<T> find(String name, TypeRef<T> type);

  /**
   * Sets a variable. The value is written as JSON at once, so errors are thrown here.
   *
   * @throws io.millrace.codec.CodecException if it cannot be written or is over a limit
   */
  void set(String name, Object value);

  /** Removes a variable; does nothing if it is not set. */
  void remove(String name);

  /**
   * Runs {@code work} unless an earlier attempt of this visit did, and returns its stored result.
   * The result is durable when this returns. If the process dies between the effect and its record,
   * the work runs again: pass it {@link #idempotencyKey} where that matters.
   *
   * @param name unique within the state
   */
  default <T> T once(String name, Class<T> type, Callable<T> work) throws Exception {
    return once(name, TypeRef.of(type), work);
  }

  /**
   * Runs {@code work} unless an earlier attempt of this visit did, and returns its stored result.
   * The result is durable when this returns. If the process dies between the effect and its record,
   * the work runs again: pass it {@link #idempotencyKey} where that matters.
   *
   * @param name unique within the state
   */
  <T> T once(String name, TypeRef<T> type, Callable<T> work) throws Exception;

  /**
   * Returns the stored result of {@link #once} under this name, also from an earlier attempt; empty
   * if there is none.
   */
  default <T> Optional<T> onceResult(String name, Class<T> type) {
    return onceResult(name, TypeRef.of(type));
  }

  /**
   * Returns the stored result of {@link #once} under this name, also from an earlier attempt; empty
   * if there is none.
   */
  <T> Optional<T> onceResult(String name, TypeRef<T> type);

  /** Runs {@code work} like {@link #once(String, Class, Callable)}, without a result. */
  void once(String name, SideEffect work) throws Exception;

  /** Reports progress; stored at most once a second. {@code total} is 0 when unknown. */
  void progress(long done, long total, @Nullable String text);

  /**
   * Returns the values by group and key. Writes happen at once, while this attempt is the current
   * one.
   */
  KeyValues keyValues();

  /** Returns the ledger of work that is done once a period. Its decisions are durable at once. */
  PeriodLedger periodLedger();

  /**
   * Records a checkpoint when this state's answer is accepted. A later instance of the same type
   * and business key finds it; without a business key, later states do.
   *
   * @param value written as JSON of at most 32 KiB, not encrypted; null to forget it and start over
   * @throws io.millrace.codec.CodecException if it cannot be written
   */
  void checkpoint(String name, @Nullable Object value);

  /**
   * Returns the last checkpoint of this name; empty if there is none.
   *
   * @throws io.millrace.codec.CodecException if it does not fit {@code type}
   */
  default <T> Optional<T> lastCheckpoint(String name, Class<T> type) {
    return lastCheckpoint(name, TypeRef.of(type));
  }

  /**
   * Returns the last checkpoint of this name; empty if there is none.
   *
   * @throws io.millrace.codec.CodecException if it does not fit {@code type}
   */
  <T> Optional<T> lastCheckpoint(String name, TypeRef<T> type);

  /**
   * Returns a filter for the records of a source that are new or have changed. Commits take effect
   * when this state's answer is accepted.
   *
   * @param group 1 to 200 characters
   */
  Reduce reduce(String group);

  /** Starts a child when this state's answer is accepted. */
  void spawn(StartRequest child);

  /** Starts children when this state's answer is accepted. */
  default void spawnAll(Collection<StartRequest> children) {
    children.forEach(this::spawn);
  }

  /** Returns counts of the children started by earlier states. */
  ChildCounts children();

  /**
   * Returns a variable of all children that have set it, in the order of their start. A sealed
   * value is opened if the child's definition marks the variable as secret.
   *
   * @throws io.millrace.codec.CodecException if a value does not fit {@code type}
   * @throws io.millrace.instance.InvalidRequestException if the values together exceed the limit
   *     for a handler: 64 MiB, or an eighth of the heap if that is less
   */
  default <T> List<T> childVariables(String variable, Class<T> type) {
    return childVariables(variable, TypeRef.of(type));
  }

  /**
   * Returns a variable of all children that have set it, in the order of their start. A sealed
   * value is opened if the child's definition marks the variable as secret.
   *
   * @throws io.millrace.codec.CodecException if a value does not fit {@code type}
   * @throws io.millrace.instance.InvalidRequestException if the values together exceed the limit
   *     for a handler: 64 MiB, or an eighth of the heap if that is less
   */
  <T> List<T> childVariables(String variable, TypeRef<T> type);

  /**
   * Returns the oldest queued signal of this name, which the accepted answer consumes; empty if
   * there is none. If none was there at the claim, the call asks the database, so that a
   * long-running handler can look for a signal every few seconds.
   */
  Optional<ReceivedSignal> signal(String name);
}
