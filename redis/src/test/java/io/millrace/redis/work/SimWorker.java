package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker that makes one request in each step, as the threads of real ones do in some order.
 * Anything may happen between two steps.
 */
final class SimWorker {

  private final String id;
  private final QueueRuntime queueRuntime;
  private final Redis.BlockingConnection line;
  private final Redis redis;
  private final SimServer server;
  private IdleWorkers.@Nullable ReceivedJob receivedJob;
  private LeaseResult.@Nullable Leased job;
  private @Nullable JobOutcome jobOutcome;

  /** True after an attempt to store the outcome, whose reply may have been lost. */
  private boolean tried;

  private long asleepUntil;
  private boolean busy; // true while another process runs between two of its requests

  SimWorker(
      String id,
      QueueRuntime queueRuntime,
      Redis.BlockingConnection line,
      Redis redis,
      SimServer server) {
    this.id = id;
    this.queueRuntime = queueRuntime;
    this.line = line;
    this.redis = redis;
    this.server = server;
  }

  /** Returns true while it has neither a job nor a received one. */
  boolean isIdle() {
    return job == null && receivedJob == null;
  }

  /** Makes one request; a request that failed is repeated in the next step, as by real workers. */
  void step(RandomGenerator random) {
    long now = queueRuntime.context().nanoTime();
    if (busy || now < asleepUntil) {
      return;
    }
    busy = true;
    try {
      if (job != null) {
        work(random);
      } else if (receivedJob != null) {
        claim();
      } else {
        look(random);
      }
    } catch (RedisUnavailableException | RedisReplyException e) {
      server.note(id, "got", e);
    } finally {
      busy = false;
    }
    if (!isIdle() && random.nextInt(8) == 0) {
      asleepUntil = now + Duration.ofSeconds(random.nextInt(60)).toNanos();
    }
  }

  private void look(RandomGenerator random) {
    QueueKeys queueKeys = queueRuntime.queueKeys();
    switch (random.nextInt(4)) {
      case 0 -> {
        long asked = queueRuntime.context().nanoTime();
        String moved = line.move(queueKeys.waiting(), queueKeys.processing(), Duration.ZERO);
        receivedJob = moved == null ? null : new IdleWorkers.ReceivedJob(moved, asked);
      }
      case 1 ->
          redis.run(
              LuaScript.PROMOTE,
              List.of(MillraceKeys.delayed(queueKeys.name()), queueKeys.waiting()),
              List.of(
                  MillraceKeys.queue(queueKeys.name()),
                  queueKeys.job(""),
                  MillraceKeys.metadata(queueKeys.flow(), ""),
                  "10"));
      default -> accept(queueRuntime.protocol().lease(id));
    }
  }

  private void claim() {
    IdleWorkers.ReceivedJob received = receivedJob;
    boolean recent =
        queueRuntime.context().nanoTime() - received.waitStartNanos()
            < queueRuntime.queueKeys().policy().stallGrace().toNanos();
    LeaseResult leaseResult = queueRuntime.protocol().leaseMoved(id, received.id(), recent);
    receivedJob = null;
    accept(leaseResult);
  }

  private void accept(@Nullable LeaseResult leaseResult) {
    job = leaseResult instanceof LeaseResult.Leased leased ? leased : null;
  }

  private void work(RandomGenerator random) {
    if (jobOutcome == null && random.nextInt(3) == 0) {
      redis.run(
          LuaScript.RENEW_LOCKS,
          List.of(
              queueRuntime.queueKeys().lock(job.id()),
              queueRuntime.queueKeys().job(job.id()),
              queueRuntime.queueKeys().metadata(job.id())),
          List.of(id, Long.toString(queueRuntime.queueKeys().lockSeconds()), "86400"));
      return;
    }
    if (jobOutcome == null && random.nextInt(20) == 0) {
      boolean mine = !isOthers();
      boolean released = queueRuntime.protocol().release(id, job.id());
      require(!released || mine, "released a job that another has locked");
      job = null;
      return;
    }
    jobOutcome = jobOutcome == null ? decide(random) : jobOutcome;
    boolean mine = tried || id.equals(owner());
    tried = true;
    StoreResult storeResult = store(random.nextBoolean());
    require(
        storeResult.status() != StoreResult.Status.OK || mine,
        "stored the outcome of a job whose lock was not its");
    tried = false;
    jobOutcome = null;
    job = null;
    accept(storeResult.next());
  }

  private static JobOutcome decide(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> new JobOutcome.Failed("no", null);
      case 1 -> new JobOutcome.Retry(Duration.ZERO, "again", new IllegalStateException());
      case 2 -> new JobOutcome.Later(Duration.ofSeconds(random.nextInt(20)), "later");
      default -> new JobOutcome.Completed(List.of(), null);
    };
  }

  private StoreResult store(boolean leaseNext) {
    String queue = queueRuntime.queueKeys().name();
    return switch (jobOutcome) {
      case JobOutcome.Completed completed ->
          queueRuntime
              .protocol()
              .complete(
                  id,
                  job,
                  new JobOutcome.Completed(
                      List.of("completed-queue", "\"" + queue + "\""),
                      queueRuntime.queueKeys().queue().next()),
                  leaseNext);
      case JobOutcome.Retry retry -> queueRuntime.protocol().retry(id, job, retry, leaseNext);
      case JobOutcome.Later later -> queueRuntime.protocol().later(id, job, later, leaseNext);
      case JobOutcome.Failed failed -> queueRuntime.protocol().fail(id, job, failed, leaseNext);
      case null, default -> throw new AssertionError("This is not simulated: " + jobOutcome);
    };
  }

  private String owner() {
    return server.text(queueRuntime.queueKeys().lock(job.id()));
  }

  private boolean isOthers() {
    String owner = owner();
    return !owner.isEmpty() && !owner.equals(id);
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("Worker " + id + " " + what + "\n" + server.trace());
    }
  }
}
