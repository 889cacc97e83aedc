package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.redis.wire.Script;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker that does one request in each step, as the threads of real ones do in some order:
 * between any two steps anything may happen.
 */
final class SimWorker {

  private final String id;
  private final Station station;
  private final Redis.Blocking line;
  private final Redis redis;
  private final SimServer server;
  private Doorbell.@Nullable Heard heard;
  private Taken.@Nullable Leased job;
  private @Nullable Verdict verdict;
  private boolean tried; // to store the verdict, as the answer may have been lost
  private long asleepUntil;
  private boolean busy; // as another process goes on between two of its requests

  SimWorker(String id, Station station, Redis.Blocking line, Redis redis, SimServer server) {
    this.id = id;
    this.station = station;
    this.line = line;
    this.redis = redis;
    this.server = server;
  }

  /** True while it has neither a job nor an entry. */
  boolean isIdle() {
    return job == null && heard == null;
  }

  /** One request; what it could not do is tried again in the next step, as real workers do. */
  void step(RandomGenerator random) {
    long now = station.setting().nanoTime();
    if (busy || now < asleepUntil) {
      return;
    }
    busy = true;
    try {
      if (job != null) {
        work(random);
      } else if (heard != null) {
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
    Lane lane = station.lane();
    switch (random.nextInt(4)) {
      case 0 -> {
        long asked = station.setting().nanoTime();
        String entry = line.move(lane.waiting(), lane.processing(), Duration.ZERO);
        heard = entry == null ? null : new Doorbell.Heard(entry, asked);
      }
      case 1 ->
          redis.run(
              Script.PROMOTE,
              List.of(OwnKeys.delayed(lane.name()), lane.waiting()),
              List.of(
                  OwnKeys.queue(lane.name()),
                  lane.dialect().job(lane.flow(), ""),
                  OwnKeys.meta(lane.flow(), ""),
                  "10"));
      default -> accept(station.protocol().lease(id));
    }
  }

  private void claim() {
    Doorbell.Heard entry = heard;
    boolean recent =
        station.setting().nanoTime() - entry.askedNanos()
            < station.lane().policy().stallGrace().toNanos();
    Taken taken = station.protocol().claim(id, entry.entry(), recent);
    heard = null;
    accept(taken);
  }

  private void accept(@Nullable Taken taken) {
    job = taken instanceof Taken.Leased leased ? leased : null;
  }

  private void work(RandomGenerator random) {
    if (verdict == null && random.nextInt(3) == 0) {
      redis.run(
          Script.EXTEND,
          List.of(
              station.lane().lock(job.entry()),
              station.lane().job(job.entry()),
              station.lane().meta(job.entry())),
          List.of(id, Long.toString(station.lane().lockSeconds()), "86400"));
      return;
    }
    if (verdict == null && random.nextInt(20) == 0) {
      boolean mine = !isOthers();
      boolean released = station.protocol().release(id, job.entry());
      require(!released || mine, "gave back a job that another has locked");
      job = null;
      return;
    }
    verdict = verdict == null ? decide(random) : verdict;
    boolean mine = tried || id.equals(owner());
    tried = true;
    Ended end = store(random.nextBoolean());
    require(
        end.status() != Ended.Status.OK || mine, "stored the end of a job whose lock was not its");
    tried = false;
    verdict = null;
    job = null;
    accept(end.next());
  }

  private static Verdict decide(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> new Verdict.Failed("no", null);
      case 1 -> new Verdict.Again(Duration.ZERO, "again", true, null);
      case 2 -> new Verdict.Again(Duration.ofSeconds(random.nextInt(20)), "later", false, null);
      default -> new Verdict.Done(List.of(), null);
    };
  }

  private Ended store(boolean goesOn) {
    String queue = station.lane().name();
    return switch (verdict) {
      case Verdict.Done done ->
          station
              .protocol()
              .complete(
                  id,
                  job,
                  new Verdict.Done(
                      List.of("completed-queue", "\"" + queue + "\""),
                      station.lane().queue().next()),
                  goesOn);
      case Verdict.Again again -> station.protocol().again(id, job, again, goesOn);
      case Verdict.Failed failed -> station.protocol().fail(id, job, failed, goesOn);
      case null, default -> throw new AssertionError("This is not simulated: " + verdict);
    };
  }

  private String owner() {
    return server.text(station.lane().lock(job.entry()));
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
