package io.millrace.sequence;

import io.millrace.codec.TypeRef;
import io.millrace.definition.CancelToken;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one task, as its handler sees it. Results take effect when the attempt succeeds,
 * or not at all. May be used only by the handler's own thread, and only until it returns; {@link
 * #cancelToken} and {@link #progress} may be used from other threads.
 */
public interface TaskContext {

  /**
   * Returns the id of the execution, which is one run of the whole sequence; the same on all nodes.
   */
  long executionId();

  /** Returns the id of the executed sequence. */
  String sequenceId();

  /** Returns the sequence's type, which is that of its tasks. */
  String sequenceType();

  /** Returns the name of this task. */
  String taskName();

  /** Returns the number of this task. */
  int taskId();

  /** Returns the position of this task in the sequence, from 1. */
  int position();

  /** Returns the number of the next task; -1 for none. */
  int nextTaskId();

  /** Returns the data window of the execution, the same for all tasks and all attempts. */
  DataWindow window();

  /** Returns this attempt's number, from 1. */
  int attempt();

  /** Returns true for every attempt but the first. */
  boolean isRetry();

  /** Returns the message for this attempt: JSON with the six fields of {@link TaskMessage}. */
  String message();

  /**
   * Returns a parameter of the execution, or else of the task in this sequence, or else of the task
   * itself.
   *
   * @throws io.millrace.codec.CodecException if it does not fit {@code type}
   */
  default <T> Optional<T> parameter(String name, Class<T> type) {
    return parameter(name, TypeRef.of(type));
  }

  /**
   * Returns a parameter of the execution, or else of the task in this sequence, or else of the task
   * itself.
   *
   * @throws io.millrace.codec.CodecException if it does not fit {@code type}
   */
  <T> Optional<T> parameter(String name, TypeRef<T> type);

  /**
   * Returns the result of an earlier task of the execution under this name.
   *
   * @throws io.millrace.codec.CodecException when it does not fit {@code type}
   */
  default <T> Optional<T> result(String name, Class<T> type) {
    return result(name, TypeRef.of(type));
  }

  /**
   * Returns the result of an earlier task of the execution under this name.
   *
   * @throws io.millrace.codec.CodecException when it does not fit {@code type}
   */
  <T> Optional<T> result(String name, TypeRef<T> type);

  /**
   * Passes a value on to later tasks. It is written as JSON at once, so errors are thrown here.
   *
   * @throws io.millrace.codec.CodecException if it cannot be written or is over a limit
   */
  void setResult(String name, Object value);

  /** Sets the text of this attempt, which the visit of the task shows; the last call counts. */
  void statusLog(String text);

  /**
   * Runs {@code work} unless an earlier attempt of this task did, and returns its stored result;
   * see {@link io.millrace.definition.StateContext#once}.
   *
   * @param name unique within the task
   */
  default <T> T once(String name, Class<T> type, Callable<T> work) throws Exception {
    return once(name, TypeRef.of(type), work);
  }

  /**
   * Runs {@code work} unless an earlier attempt of this task did, and returns its stored result;
   * see {@link io.millrace.definition.StateContext#once}.
   *
   * @param name unique within the task
   */
  <T> T once(String name, TypeRef<T> type, Callable<T> work) throws Exception;

  /**
   * Runs chunks of work on the node's pool, as many at once as it has threads, and returns when all
   * have ended. The result of each chunk is stored, so that a later attempt runs only the chunks
   * that have failed or were not started.
   *
   * @param type result type of every chunk
   * @return the results in the order of the chunks
   * @throws ChunksFailedException if chunks have failed; the others are not repeated
   */
  default <T> List<T> chunks(Class<T> type, List<Chunk<T>> chunks) throws Exception {
    return chunks(TypeRef.of(type), chunks);
  }

  /**
   * Runs chunks of work on the node's pool, as many at once as it has threads, and returns when all
   * have ended. The result of each chunk is stored, so that a later attempt runs only the chunks
   * that have failed or were not started.
   *
   * @param type result type of every chunk
   * @return the results in the order of the chunks
   * @throws ChunksFailedException if chunks have failed; the others are not repeated
   */
  <T> List<T> chunks(TypeRef<T> type, List<Chunk<T>> chunks) throws Exception;

  /** Reports progress; stored at most once a second. {@code total} is 0 when unknown. */
  void progress(long done, long total, @Nullable String text);

  CancelToken cancelToken();

  /**
   * Returns a key that is the same for every attempt of this task in this execution, and unique
   * otherwise.
   */
  String idempotencyKey();

  /** Returns the time by the engine's wall clock. */
  Instant now();
}
