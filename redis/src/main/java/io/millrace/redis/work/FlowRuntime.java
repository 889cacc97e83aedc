package io.millrace.redis.work;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.WorkerStatus;
import io.millrace.redis.jobs.JobTtlRenewer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All workers of a process, and the loops that maintain their jobs. Thread-safe. */
public final class FlowRuntime {

  private static final Logger LOG = LoggerFactory.getLogger(FlowRuntime.class);
  private static final Duration HURRY = Duration.ofSeconds(1);
  private static final Duration LOOP_END = Duration.ofSeconds(10);

  private final WorkerContext context;
  private final List<Flow> flows = new CopyOnWriteArrayList<>();
  private final List<QueueRuntime> queueRuntimes = new CopyOnWriteArrayList<>();
  private final Map<String, QueueRuntime> byQueue = new ConcurrentHashMap<>();
  private final WorkerHeartbeat workerHeartbeat;
  private final ChildMonitor childMonitor;
  private final JobFinishWaiters jobFinishWaiters;
  private final List<Loop> loops = new ArrayList<>();
  private boolean stopped;

  public FlowRuntime(WorkerContext context) {
    this.context = context;
    this.workerHeartbeat = new WorkerHeartbeat(context, queueRuntimes, flows);
    this.childMonitor = new ChildMonitor(context);
    this.jobFinishWaiters = new JobFinishWaiters(context);
  }

  /**
   * Registers a flow, so that its queues can have workers, and its stalled jobs are recovered.
   *
   * @throws InvalidRequestException if another flow has a queue of the same name
   */
  public synchronized void register(Flow flow) {
    List<QueueKeys> allKeys = QueueKeys.allOf(flow);
    for (QueueKeys queueKeys : allKeys) {
      QueueRuntime other = byQueue.get(queueKeys.name());
      if (other != null) {
        throw new InvalidRequestException(
            "Queue '"
                + queueKeys.name()
                + "' of flow "
                + flow.name()
                + " belongs to flow "
                + other.queueKeys().flow()
                + " already; expected queues of its own, since entries of a queue do not tell their"
                + " flow. Give the queue another name.");
      }
    }
    for (QueueKeys queueKeys : allKeys) {
      QueueRuntime queueRuntime =
          new QueueRuntime(context, queueKeys, childMonitor, jobFinishWaiters);
      byQueue.put(queueKeys.name(), queueRuntime);
      queueRuntimes.add(queueRuntime);
    }
    flows.add(flow);
    loops.forEach(Loop::wake);
  }

  /**
   * Returns a new worker, which is not started.
   *
   * @param queue the queue's name; that of a child queue begins with its parent's name and a colon
   * @throws InvalidRequestException if no registered flow has the queue
   */
  public QueueWorker worker(String queue, JobHandler handler) {
    QueueRuntime queueRuntime = runtimeOf(queue);
    if (!queueRuntime.queueKeys().queue().children().isEmpty()) {
      throw new InvalidRequestException(
          "Queue '"
              + queue
              + "' has children; expected no handler. Create its workers with parentWorkers.");
    }
    return woken(queueRuntime.worker(handler));
  }

  /**
   * Returns a new worker for a queue of parents, which is not started. It creates the children of
   * each parent, goes on to the next parent, and completes each when all its children are done.
   *
   * @throws InvalidRequestException if no registered flow has the queue, or it has no children
   */
  public QueueWorker parentWorker(String queue) {
    QueueRuntime queueRuntime = runtimeOf(queue);
    if (queueRuntime.queueKeys().queue().children().isEmpty()) {
      throw new InvalidRequestException(
          "Queue '"
              + queue
              + "' has no children; expected a queue of parents. Add child queues with"
              + " Queue.children, or use workers with a handler.");
    }
    return woken(queueRuntime.parentWorker());
  }

  /**
   * Waits until a job of a flow has finished, or does not exist: its field {@code done} is set or
   * it has failed, or one of the flow's queues without a next queue has completed it.
   *
   * @return false when it has not finished in time
   */
  public boolean await(Flow flow, String id, Duration patience) throws InterruptedException {
    return jobFinishWaiters.await(flow, id, patience);
  }

  /** Returns true if a job of a flow has finished, or does not exist. */
  public boolean isFinished(Flow flow, String id) {
    return jobFinishWaiters.isFinished(flow, id);
  }

  /**
   * Returns a job as a handler sees it, which is on no server.
   *
   * @throws InvalidRequestException if the flow has no such queue, or the attempt is below 1
   */
  public static Job sample(Flow flow, String queue, Map<String, ?> fields, int attempt) {
    if (attempt < 1) {
      throw new InvalidRequestException("The attempt is " + attempt + "; expected 1 or more.");
    }
    return QueueKeys.allOf(flow).stream()
        .filter(queueKeys -> queueKeys.name().equals(queue))
        .findFirst()
        .map(queueKeys -> LeasedJob.sample(queueKeys, fields, attempt))
        .orElseThrow(() ->
            new InvalidRequestException("Flow " + flow.name() + " has no queue '" + queue + "'"));
  }

  /** Wakes the loops, which have computed their pause from the queues that had workers then. */
  private synchronized QueueWorker woken(QueueWorker worker) {
    loops.forEach(Loop::wake);
    return worker;
  }

  private QueueRuntime runtimeOf(String queue) {
    QueueRuntime queueRuntime = byQueue.get(queue);
    if (queueRuntime == null) {
      throw new InvalidRequestException(
          "No flow has a queue '"
              + queue
              + "'; there are "
              + byQueue.keySet().stream().sorted().collect(Collectors.joining(", ")));
    }
    return queueRuntime;
  }

  /**
   * Starts the loops that renew locks and times to live, beat and register flows, watch children,
   * recover stalled jobs and promote delayed ones; does nothing when they are started.
   *
   * @throws IllegalStateException after {@code stop}
   */
  public synchronized void startLoops() {
    if (stopped) {
      throw new IllegalStateException("These workers have been stopped; connect again for others");
    }
    if (loops.isEmpty()) {
      add("millrace-redis-locks", new LockKeeper(context, queueRuntimes));
      add("millrace-redis-heartbeat", workerHeartbeat);
      add("millrace-redis-children", childMonitor);
      add("millrace-redis-recovery", new StalledJobRecovery(context, queueRuntimes));
      add("millrace-redis-delayed", new DelayedJobPromoter(context, queueRuntimes));
      add(
          "millrace-redis-time-to-live",
          new JobTtlRenewer(context.redis(), context.json(), context.runtime().clock()));
    }
  }

  private void add(String name, Loop.Work work) {
    loops.add(context.runtime().runner().loop(name, work));
  }

  /** Starts all workers that have not been started. */
  public void start() {
    startLoops();
    all().stream().filter(w -> w.status() == WorkerStatus.READY).forEach(QueueWorker::start);
    LOG.info("{} workers serve {} flows", all().size(), flows.size());
  }

  private List<QueueWorker> all() {
    return queueRuntimes.stream().flatMap(queueRuntime -> queueRuntime.workers().stream()).toList();
  }

  /**
   * Lets all workers finish their current jobs, and ends the loops. After the given time, handlers
   * are interrupted and their jobs are released.
   *
   * @return true if all handlers have returned
   */
  public boolean stop(Duration patience) {
    List<QueueWorker> started =
        all().stream().filter(w -> w.status() != WorkerStatus.READY).toList();
    if (hasStopped()) {
      return awaitAll(started, Duration.ZERO);
    }
    started.forEach(QueueWorker::requestStop);
    boolean allStopped = awaitAll(started, patience);
    if (!allStopped) {
      started.forEach(QueueWorker::interruptHandler);
      allStopped = awaitAll(started, HURRY);
      started.forEach(QueueWorker::releaseUnfinishedJob);
    }
    end();
    LOG.info(
        "Workers have stopped: {}",
        allStopped ? "all handlers returned" : "some handlers did not return");
    return allStopped;
  }

  private boolean awaitAll(List<QueueWorker> workers, Duration patience) {
    long until = context.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
    try {
      for (QueueWorker worker : workers) {
        if (!worker.awaitStop(Duration.ofNanos(Math.max(0, until - context.nanoTime())))) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized boolean hasStopped() {
    return stopped;
  }

  private synchronized void end() {
    if (stopped) {
      return;
    }
    stopped = true;
    // All loops are asked to stop before one is waited for, since a round takes long while Redis is
    // away.
    loops.forEach(loop -> loop.stop(Duration.ZERO));
    loops.forEach(loop -> loop.stop(LOOP_END));
    if (!loops.isEmpty()) {
      workerHeartbeat.deregister();
    }
    queueRuntimes.forEach(QueueRuntime::close);
  }
}
