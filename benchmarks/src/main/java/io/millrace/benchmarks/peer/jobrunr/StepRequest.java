package io.millrace.benchmarks.peer.jobrunr;

import io.millrace.benchmarks.peer.WorkType;
import org.jobrunr.jobs.lambdas.JobRequest;

/** The stored request of a job. */
record StepRequest(WorkType work, int step, String payload) implements JobRequest {

  @Override
  public Class<StepHandler> getJobRequestHandler() {
    return StepHandler.class;
  }
}
