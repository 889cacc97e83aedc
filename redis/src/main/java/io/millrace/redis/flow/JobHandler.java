package io.millrace.redis.flow;

/** The work of one queue. Called by many threads at once. */
@FunctionalInterface
public interface JobHandler {

  /**
   * Does the work of a job.
   *
   * @return what is stored and where the job goes
   * @throws Exception any, which fails the job, or has it tried again as the queue's policy says
   */
  JobResult handle(Job job) throws Exception;
}
