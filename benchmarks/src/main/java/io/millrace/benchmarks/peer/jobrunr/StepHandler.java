package io.millrace.benchmarks.peer.jobrunr;

import io.millrace.benchmarks.peer.Probe;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;

/**
 * A handler that enqueues the job of the next step, because the free edition has no workflows.
 * Public because JobRunr calls it from its own package.
 */
public final class StepHandler implements JobRequestHandler<StepRequest> {

  private final Probe probe;
  private final JobRequestScheduler scheduler;

  StepHandler(Probe probe, JobRequestScheduler scheduler) {
    this.probe = probe;
    this.scheduler = scheduler;
  }

  @Override
  public void run(StepRequest request) {
    probe.handle(request.work(), request.step(), request.payload());
    if (request.step() < request.work().steps()) {
      scheduler.enqueue(new StepRequest(request.work(), request.step() + 1, request.payload()));
    }
  }
}
