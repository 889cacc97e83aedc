package io.millrace.redis.flow;

import java.util.Optional;
import java.util.Set;

/**
 * A job that a handler works on: the fields that its queue asked for. For the handler's thread and
 * those that it starts.
 */
public interface Job {

  String id();

  String flow();

  String queue();

  /** The names of the fields that are there. */
  Set<String> fields();

  /**
   * A field, read by Jackson.
   *
   * @return empty when the job has no such field, or JSON's null
   * @throws io.millrace.codec.CodecException if the text does not fit the type
   * @throws io.millrace.instance.InvalidRequestException if the queue did not ask for the field
   */
  <T> Optional<T> get(String field, Class<T> type);

  /** A field that must be there. */
  <T> T need(String field, Class<T> type);

  /** All fields as one value, such as a record. */
  <T> T as(Class<T> type);

  /** What the whole flow was started for, if its creator said so. */
  Optional<String> correlationId();

  /** 1 at the first attempt in this queue. Attempts in Node.js are not counted. */
  int attempt();

  /** The same for each attempt in this queue: for calls that must not be done twice. */
  String idempotencyKey();

  /**
   * Tells how far the work is; shown to operators.
   *
   * @param percent 0 to 100
   */
  void progress(int percent, String note);

  /** True once the lock was lost or the worker must stop; the result will not be stored then. */
  boolean isCancelled();
}
