package io.millrace.redis.flow;

/** Handler of the jobs of one queue. Many threads call it at once. */
@FunctionalInterface
public interface JobHandler {

  /**
   * Processes a job.
   *
   * @return the fields to store and the next queue, or why the job is not completed
   * @throws Exception any; the job then fails, or is retried as the queue's policy says
   */
  JobResult handle(Job job) throws Exception;
}
