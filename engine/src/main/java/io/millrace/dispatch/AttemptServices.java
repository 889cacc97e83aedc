package io.millrace.dispatch;

/** The services of the engine that handlers use in their attempts. */
record AttemptServices(
    StepJournal journal,
    StoreCallQueue storeCalls,
    ProgressWriter progress,
    StopRequest stopRequest,
    NewInstanceFactory instanceFactory) {

  static AttemptServices start(
      EngineContext engine, StopRequest stopRequest, NewInstanceFactory instanceFactory) {
    return new AttemptServices(
        new StepJournal(engine),
        new StoreCallQueue(engine),
        new ProgressWriter(engine),
        stopRequest,
        instanceFactory);
  }

  void stop(StopDeadline deadline) {
    progress.stop(deadline.left());
    journal.stop(deadline.left());
    storeCalls.stop(deadline.left());
  }
}
