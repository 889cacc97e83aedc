package io.millrace.redis.work;

import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobHandler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A queue in this process, with its workers and their shared state. Thread-safe. */
final class QueueRuntime {

  /** Time between warnings of one kind, so that a long failure does not fill the log. */
  static final Duration BETWEEN_WARNINGS = Duration.ofSeconds(1);

  private final WorkerContext context;
  private final QueueKeys queueKeys;
  private final ChildMonitor childMonitor;
  private final JobFinishWaiters jobFinishWaiters;
  private final FailureFields failureFields;
  private final QueueProtocol queueProtocol;
  private final IdleWorkers idleWorkers;
  private final JobOutcomeMapper jobOutcomeMapper;
  private final QueueCounters queueCounters = new QueueCounters();
  private final IntervalThrottle warningThrottle;
  private final List<QueueWorker> workers = new CopyOnWriteArrayList<>();

  QueueRuntime(
      WorkerContext context,
      QueueKeys queueKeys,
      ChildMonitor childMonitor,
      JobFinishWaiters jobFinishWaiters) {
    this.context = context;
    this.childMonitor = childMonitor;
    this.jobFinishWaiters = jobFinishWaiters;
    this.queueKeys = queueKeys;
    this.failureFields = new FailureFields(context.json(), queueKeys.name());
    this.queueProtocol = new QueueProtocol(context.redis(), queueKeys, failureFields);
    this.idleWorkers =
        new IdleWorkers(context.redis().blocking(), queueKeys, context.runtime().clock());
    this.jobOutcomeMapper = new JobOutcomeMapper(context, queueKeys);
    this.warningThrottle = new IntervalThrottle(context.runtime().clock(), BETWEEN_WARNINGS);
  }

  QueueWorker worker(JobHandler handler) {
    return add(new QueueWorker(this, new HandlerProcessor(handler, jobOutcomeMapper)));
  }

  /** Adds a worker that creates children and waits for them. */
  QueueWorker parentWorker() {
    return add(new QueueWorker(this, new ChildSpawner(this)));
  }

  private QueueWorker add(QueueWorker worker) {
    workers.add(worker);
    return worker;
  }

  /** Notifies waiting parents and callers that a job has finished here. */
  void jobFinished(String id) {
    String key = queueKeys.job(id);
    childMonitor.jobFinished(key);
    jobFinishWaiters.finished(key);
  }

  ChildMonitor childMonitor() {
    return childMonitor;
  }

  WorkerContext context() {
    return context;
  }

  QueueKeys queueKeys() {
    return queueKeys;
  }

  FailureFields failureFields() {
    return failureFields;
  }

  QueueProtocol protocol() {
    return queueProtocol;
  }

  IdleWorkers idleWorkers() {
    return idleWorkers;
  }

  JobOutcomeMapper jobOutcomeMapper() {
    return jobOutcomeMapper;
  }

  QueueCounters counters() {
    return queueCounters;
  }

  IntervalThrottle warningThrottle() {
    return warningThrottle;
  }

  List<QueueWorker> workers() {
    return workers;
  }

  FlowEvent.JobRef jobRef(String id) {
    return new FlowEvent.JobRef(queueKeys.flow(), queueKeys.name(), id);
  }

  void close() {
    idleWorkers.close();
  }
}
