package io.millrace.redis;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.work.FlowRuntime;
import java.util.Map;

/**
 * Creates jobs for tests of handlers, without a Redis. A handler sees what it would see of a job on
 * a server: the fields that its queue names, each read back from its JSON.
 */
public final class SampleJob {

  private SampleJob() {}

  /** Returns a job at its first attempt. */
  public static Job of(Flow flow, String queue, Map<String, ?> fields) {
    return of(flow, queue, fields, 1);
  }

  /**
   * Returns a job.
   *
   * @param queue the queue's name; that of a child queue is the parent's queue, a colon, and its
   *     own name
   * @param fields the fields of the job; {@code correlationId} among them is its correlation id
   * @param attempt 1 for the first
   * @throws io.millrace.instance.InvalidRequestException if the flow has no such queue, or the
   *     attempt is below 1
   * @throws io.millrace.codec.CodecException if a field cannot be written as JSON
   */
  public static Job of(Flow flow, String queue, Map<String, ?> fields, int attempt) {
    return FlowRuntime.sample(flow, queue, fields, attempt);
  }
}
