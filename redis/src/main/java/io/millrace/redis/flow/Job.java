package io.millrace.redis.flow;

import java.util.Optional;
import java.util.Set;

/**
 * A job that a handler processes, with the fields that its queue asks for. For the handler's thread
 * and the threads that it starts.
 */
public interface Job {

  String id();

  String flow();

  String queue();

  /** Returns the names of the fields that exist. */
  Set<String> fields();

  /**
   * Returns a field, read by Jackson; empty if the job has no such field, or it is JSON's null.
   *
   * @throws io.millrace.codec.CodecException if the text does not fit the type
   * @throws io.millrace.instance.InvalidRequestException if the queue did not ask for the field
   */
  <T> Optional<T> find(String field, Class<T> type);

  /**
   * Returns a field as {@link #find} does.
   *
   * @throws io.millrace.instance.InvalidRequestException also if the job has no such field
   */
  <T> T get(String field, Class<T> type);

  /** Returns all fields as one value, such as a record. */
  <T> T as(Class<T> type);

  /** Returns the correlation id of the whole flow, if its creator set one. */
  Optional<String> correlationId();

  /**
   * Returns the number of the attempt in this queue, starting with 1. Attempts in Node.js are not
   * counted.
   */
  int attempt();

  /**
   * Returns a key that is the same for each attempt in this queue, for calls that must not be done
   * twice.
   */
  String idempotencyKey();

  /**
   * Reports progress, which is shown to operators.
   *
   * @param percent 0 to 100
   */
  void progress(int percent, String note);

  /**
   * Returns true once the handler should return, since its result no longer counts: the worker has
   * lost the job's lock, or must stop, or the handler runs longer than its queue allows. In the
   * last case the attempt has failed, and the job is retried or fails; otherwise nothing is stored.
   */
  boolean isCancelled();
}
