package io.millrace.definition;

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
 * signals take effect together with the handler's answer, or not at all. Only for the handler's own
 * thread, and only until it answers; {@link #cancelToken}, {@link #stopSignal} and {@link
 * #progress} may be used from others.
 */
public interface StateContext {

  /** Work whose outside effect shall happen once. */
  @FunctionalInterface
  interface SideEffect {
    void run() throws Exception;
  }

  long instanceId();

  String type();

  String state();

  @Nullable String businessKey();

  @Nullable String externalId();

  /** This attempt's number in the current state, from 1. */
  int attempt();

  /** The number in the history that this attempt gets when its answer is accepted. */
  int seq();

  /**
   * A key for outside effects: the same for every attempt of this visit to the state, another one
   * for every other visit.
   */
  String idempotencyKey();

  /** Returns when this attempt times out; null if the state has no timeout. */
  @Nullable Instant deadline();

  CancelToken cancelToken();

  /** Tells that this executor stops, before {@link #cancelToken} does at the end of its grace. */
  StopSignal stopSignal();

  /** The engine's wall clock. */
  Instant now();

  /**
   * The input of the start.
   *
   * @throws io.millrace.codec.CodecException when there is none or it does not fit {@code type}
   */
  <T> T input(Class<T> type);

  /**
   * The variable's value.
   *
   * @throws io.millrace.codec.CodecException when there is none or it does not fit {@code type}
   */
  <T> T get(String name, Class<T> type);

  /** The variable's value; empty when it is not set. */
  <T> Optional<T> find(String name, Class<T> type);

  /**
   * Sets a variable. The value is written as JSON at once, so limits and faults show here.
   *
   * @throws io.millrace.codec.CodecException when it cannot be written or is over a limit
   */
  void set(String name, Object value);

  /** Removes a variable; does nothing when it is not set. */
  void remove(String name);

  /**
   * Runs {@code work} unless an earlier attempt of this visit did, and answers with its stored
   * result. The result is durable when this returns. Should the process die between the effect and
   * its record, the work runs again: pass it {@link #idempotencyKey} where that matters.
   *
   * @param name unique within the state
   */
  <T> T once(String name, Class<T> type, Callable<T> work) throws Exception;

  /**
   * The stored result of {@link #once} under this name, also one of an earlier attempt; empty when
   * there is none.
   */
  <T> Optional<T> onceResult(String name, Class<T> type);

  /** Like {@link #once(String, Class, Callable)}, without a result. */
  void once(String name, SideEffect work) throws Exception;

  /** Reports progress; stored at most once a second. {@code total} is 0 when unknown. */
  void progress(long done, long total, @Nullable String text);

  /** Values by group and key; its writes happen at once, while this attempt is the current one. */
  KeyValues keyValues();

  /** Decides what is done once a period; its decisions are durable at once. */
  PeriodLedger periodLedger();

  /**
   * Remembers how far the work has come, when this state's answer is accepted. A later instance of
   * the same type and business key finds it there; without a business key, later states do.
   *
   * @param value written as JSON of at most 32 KiB; null to forget it and begin anew. It is no
   *     secret.
   * @throws io.millrace.codec.CodecException when it cannot be written
   */
  void checkpoint(String name, @Nullable Object value);

  /**
   * The last checkpoint of this name; empty when there is none.
   *
   * @throws io.millrace.codec.CodecException when it does not fit {@code type}
   */
  <T> Optional<T> lastCheckpoint(String name, Class<T> type);

  /**
   * Passes on those records of a source that are new or have changed; what is committed is, when
   * this state's answer is accepted.
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

  /** Counts of the children started by earlier states. */
  ChildCounts children();

  /**
   * Returns a variable of all children that have set it, in the order of their start. A sealed
   * value is opened if the child's definition marks the variable as secret.
   *
   * @throws io.millrace.codec.CodecException when a value does not fit {@code type}
   * @throws io.millrace.instance.InvalidRequestException if the values have more bytes together
   *     than a handler can be given: 64 MiB, or an eighth of the heap if that is less
   */
  <T> List<T> childVariables(String variable, Class<T> type);

  /**
   * The oldest queued signal of this name, which the accepted answer consumes; empty when there is
   * none. A call that finds none among those that were there at the claim asks the database, so
   * that a handler that runs for long can look for a signal every few seconds.
   */
  Optional<ReceivedSignal> signal(String name);
}
