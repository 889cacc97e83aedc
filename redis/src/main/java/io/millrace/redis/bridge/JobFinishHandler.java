package io.millrace.redis.bridge;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.redis.jobs.JobView;
import java.util.Optional;

/** Action of a state after its job has finished. */
@FunctionalInterface
public interface JobFinishHandler {

  /**
   * Decides the next state of the instance.
   *
   * @param job the job with its fields, including {@code failed} if it has failed; empty when it
   *     was deleted, or Redis has removed it
   */
  Next finished(StateContext ctx, Optional<JobView> job) throws Exception;
}
