package io.millrace.redis.work;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.WorkerStatus;
import io.millrace.redis.jobs.JobRenewal;
import io.millrace.redis.wire.Dialect;
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

/** All workers of a process, and the loops that look after their jobs. Thread-safe. */
public final class Workers {

  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final Duration HURRY = Duration.ofSeconds(1);
  private static final Duration LOOP_END = Duration.ofSeconds(10);

  private final Setting setting;
  private final List<Flow> flows = new CopyOnWriteArrayList<>();
  private final List<Station> stations = new CopyOnWriteArrayList<>();
  private final Map<String, Station> byQueue = new ConcurrentHashMap<>();
  private final Beats beats;
  private final Brood brood;
  private final Endings endings;
  private final List<Loop> loops = new ArrayList<>();
  private boolean stopped;

  public Workers(Setting setting) {
    this.setting = setting;
    this.beats = new Beats(setting, stations, flows);
    this.brood = new Brood(setting);
    this.endings = new Endings(setting);
  }

  /**
   * Makes a flow known, so that its queues can have workers, and its stalled jobs are recovered.
   *
   * @throws InvalidRequestException if another flow has a queue of the same name
   */
  public synchronized void register(Flow flow) {
    List<Lane> lanes = Lane.of(setting.dialect(), flow);
    for (Lane lane : lanes) {
      Station other = byQueue.get(lane.name());
      if (other != null) {
        throw new InvalidRequestException(
            "Queue '"
                + lane.name()
                + "' of flow "
                + flow.name()
                + " belongs to flow "
                + other.lane().flow()
                + " already: entries of a queue do not tell their flow, so that each flow needs"
                + " queues of its own");
      }
    }
    if (setting.dialect() == Dialect.MAIN) {
      PriorityLevelCheck.warnings(flow).forEach(warning -> LOG.warn("{}", warning));
    }
    for (Lane lane : lanes) {
      Station station = new Station(setting, lane, brood, endings);
      byQueue.put(lane.name(), station);
      stations.add(station);
    }
    flows.add(flow);
    loops.forEach(Loop::wake);
  }

  /**
   * A worker that has not been started.
   *
   * @param queue of a child: with its parent's name and a colon before it
   * @throws InvalidRequestException if no registered flow has the queue
   */
  public QueueWorker worker(String queue, JobHandler handler) {
    Station station = station(queue);
    if (!station.lane().queue().children().isEmpty()) {
      throw new InvalidRequestException(
          "Queue '"
              + queue
              + "' makes children: it is served by parentWorkers, which need no handler");
    }
    return woken(station.worker(handler));
  }

  /**
   * A worker that has not been started, for a queue of parents. It makes the children of each, goes
   * on to the next parent, and completes each when all its children have ended.
   *
   * @throws InvalidRequestException if no registered flow has the queue, or it has no children
   */
  public QueueWorker parentWorker(String queue) {
    Station station = station(queue);
    if (station.lane().queue().children().isEmpty()) {
      throw new InvalidRequestException(
          "Queue '" + queue + "' has no children: give it some by Queue.children, or use workers");
    }
    return woken(station.parentWorker());
  }

  /**
   * Waits until a job of a flow has ended, or is gone: it is done or has failed, or one of the
   * flow's queues that lead nowhere has completed it.
   *
   * @return false when that was not so in time
   */
  public boolean await(Flow flow, String id, Duration patience) throws InterruptedException {
    return endings.await(flow, id, patience);
  }

  /** Whether a job of a flow has ended, or is gone. */
  public boolean hasEnded(Flow flow, String id) {
    return endings.hasEnded(flow, id);
  }

  /**
   * A job as a handler sees it, which no server knows.
   *
   * @throws InvalidRequestException if the flow has no such queue, or the attempt is below 1
   */
  public static Job sample(Flow flow, String queue, Map<String, ?> fields, int attempt) {
    if (attempt < 1) {
      throw new InvalidRequestException("There is no attempt " + attempt + "; the first is 1");
    }
    return Lane.of(Dialect.V0_0_8, flow).stream()
        .filter(lane -> lane.name().equals(queue))
        .findFirst()
        .map(lane -> LeasedJob.sample(lane, fields, attempt))
        .orElseThrow(() ->
            new InvalidRequestException("Flow " + flow.name() + " has no queue '" + queue + "'"));
  }

  /** The loops rest as long as the queues that had workers then allow. */
  private synchronized QueueWorker woken(QueueWorker worker) {
    loops.forEach(Loop::wake);
    return worker;
  }

  private Station station(String queue) {
    Station station = byQueue.get(queue);
    if (station == null) {
      throw new InvalidRequestException(
          "No flow has a queue '"
              + queue
              + "'; there are "
              + byQueue.keySet().stream().sorted().collect(Collectors.joining(", ")));
    }
    return station;
  }

  /**
   * Begins to look after locks, stalled jobs and the registry; does nothing when that has begun.
   *
   * @throws IllegalStateException after {@code stop}
   */
  public synchronized void begin() {
    if (stopped) {
      throw new IllegalStateException("These workers have been stopped; connect anew for others");
    }
    if (loops.isEmpty()) {
      add("millrace-redis-locks", new LockKeeper(setting, stations));
      add("millrace-redis-beats", beats);
      add("millrace-redis-parents", brood);
      if (!setting.isStrict()) {
        add("millrace-redis-recovery", new Recovery(setting, stations));
        add("millrace-redis-delayed", new Sweeper(setting, stations));
        add(
            "millrace-redis-renewal",
            new JobRenewal(
                setting.redis(), setting.dialect(), setting.json(), setting.runtime().clock()));
      }
    }
  }

  private void add(String name, Loop.Work work) {
    loops.add(setting.runtime().runner().loop(name, work));
  }

  /** Starts all workers that have not been started. */
  public void start() {
    begin();
    all().stream().filter(w -> w.status() == WorkerStatus.READY).forEach(QueueWorker::start);
    LOG.info("{} workers serve {} flows", all().size(), flows.size());
  }

  private List<QueueWorker> all() {
    return stations.stream().flatMap(station -> station.workers().stream()).toList();
  }

  /**
   * Lets all workers end their jobs in hand, and ends the loops. After that time handlers are
   * interrupted and their jobs are put back.
   *
   * @return whether all handlers have returned
   */
  public boolean stop(Duration patience) {
    List<QueueWorker> begun = all().stream().filter(w -> w.status() != WorkerStatus.READY).toList();
    if (hasStopped()) {
      return awaitAll(begun, Duration.ZERO);
    }
    begun.forEach(QueueWorker::askToStop);
    boolean ended = awaitAll(begun, patience);
    if (!ended) {
      begun.forEach(QueueWorker::hurry);
      ended = awaitAll(begun, HURRY);
      begun.forEach(QueueWorker::leaveBehind);
    }
    end();
    LOG.info("Workers have stopped: {}", ended ? "all jobs ended" : "some handlers go on");
    return ended;
  }

  private boolean awaitAll(List<QueueWorker> workers, Duration patience) {
    long until = setting.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
    try {
      for (QueueWorker worker : workers) {
        if (!worker.awaitEnd(Duration.ofNanos(Math.max(0, until - setting.nanoTime())))) {
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
    // All are told before one is waited for: while Redis is away, a round takes its time.
    loops.forEach(loop -> loop.stop(Duration.ZERO));
    loops.forEach(loop -> loop.stop(LOOP_END));
    if (!loops.isEmpty()) {
      beats.end();
    }
    stations.forEach(Station::close);
  }
}
