package io.millrace.sequence;

import io.millrace.definition.CancelToken;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one task, as its handler sees it. Results take effect when the attempt succeeds,
 * or not at all. Only for the handler's own thread, and only until it returns; {@link #cancelToken}
 * and {@link #progress} may be used from others.
 */
public interface TaskContext {

  /** Names the execution, which is one run of the whole sequence, on all nodes. */
  long executionId();

  /** The sequence that is executed. */
  String sequenceId();

  /** The sequence's type, which is that of its tasks. */
  String sequenceType();

  /** The name of this task. */
  String taskName();

  /** The number of this task. */
  int taskId();

  /** The place of this task in the sequence, from 1. */
  int position();

  /** The number of the next task; -1 for none. */
  int nextTaskId();

  /** The time that the execution reports on, the same for all tasks and all attempts. */
  DataWindow window();

  /** This attempt's number, from 1. */
  int attempt();

  /** True for every attempt but the first. */
  boolean isRetry();

  /** The message that stands for this attempt: JSON with the six fields of {@link TaskMessage}. */
  String message();

  /**
   * A parameter of the task in this sequence, or of the execution; the execution's comes first.
   *
   * @throws io.millrace.codec.CodecException when it does not fit {@code type}
   */
  <T> Optional<T> parameter(String name, Class<T> type);

  /**
   * Returns the result of an earlier task of the execution under this name.
   *
   * @throws io.millrace.codec.CodecException when it does not fit {@code type}
   */
  <T> Optional<T> result(String name, Class<T> type);

  /**
   * Passes a value on to later tasks. It is written as JSON at once, so limits and faults show
   * here.
   *
   * @throws io.millrace.codec.CodecException when it cannot be written or is over a limit
   */
  void setResult(String name, Object value);

  /** Sets the text about this attempt in the execution history; the last call counts. */
  void statusLog(String text);

  /**
   * Runs {@code work} unless an earlier attempt of this task did, and answers with its stored
   * result; see {@link io.millrace.definition.StateContext#once}.
   *
   * @param name unique within the task
   */
  <T> T once(String name, Class<T> type, Callable<T> work) throws Exception;

  /**
   * Runs chunks of work on the node's pool, all of them at once as far as it has threads, and
   * answers when all have ended. What a chunk returns is stored, so that a later attempt runs only
   * the chunks that have failed or were not begun.
   *
   * @param type what every chunk returns
   * @return the results in the order of the chunks
   * @throws ChunksFailedException when chunks have failed; the others are not repeated
   */
  <T> List<T> chunks(Class<T> type, List<Chunk<T>> chunks) throws Exception;

  /** Reports progress; stored at most once a second. {@code total} is 0 when unknown. */
  void progress(long done, long total, @Nullable String text);

  CancelToken cancelToken();

  /**
   * Returns a key that is the same for every attempt of this task in this execution, and unique
   * otherwise.
   */
  String idempotencyKey();

  /** The engine's wall clock. */
  Instant now();
}
