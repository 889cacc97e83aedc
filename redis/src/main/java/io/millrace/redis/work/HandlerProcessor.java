package io.millrace.redis.work;

import io.millrace.redis.flow.JobHandler;

/** Processor of a queue whose jobs a handler of the user processes. Thread-safe. */
final class HandlerProcessor implements QueueWorker.JobProcessor {

  private final JobHandler handler;
  private final JobOutcomeMapper jobOutcomeMapper;

  HandlerProcessor(JobHandler handler, JobOutcomeMapper jobOutcomeMapper) {
    this.handler = handler;
    this.jobOutcomeMapper = jobOutcomeMapper;
  }

  /** Returns an outcome whatever the handler does, so that the handler is not called again. */
  @Override
  public JobOutcome process(String worker, LeasedJob job) {
    try {
      return jobOutcomeMapper.ofResult(handler.handle(job));
    } catch (Throwable failure) {
      return jobOutcomeMapper.ofFailure(failure, job);
    }
  }
}
