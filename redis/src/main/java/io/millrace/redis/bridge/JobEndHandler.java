package io.millrace.redis.bridge;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.redis.jobs.JobView;
import java.util.Optional;

/** What a state does once its job has ended. */
@FunctionalInterface
public interface JobEndHandler {

  /**
   * Decides where the instance goes.
   *
   * @param job with its fields, {@code failed} among them where it has failed; empty when it was
   *     deleted, or Redis has forgotten it
   */
  Next ended(StateContext ctx, Optional<JobView> job) throws Exception;
}
