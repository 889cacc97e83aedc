package io.millrace.benchmarks.peer.jobrunr;

import io.millrace.benchmarks.peer.Probe;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;

/**
 * Chains the jobs of a piece of work: the free edition has no workflows. Public because JobRunr
 * calls it from a package of its own.
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
