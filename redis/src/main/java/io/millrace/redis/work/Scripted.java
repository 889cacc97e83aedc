package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.redis.wire.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Each step is one script. */
final class Scripted implements Protocol {

  private final Redis redis;
  private final Lane lane;
  private final List<String> keys;
  private final Failure failure;

  /** By the worker's id; workers are few, and these texts go with every call. */
  private final Map<String, List<String>> arguments = new ConcurrentHashMap<>();

  /** So that the server can tell a second try from the end of a later lease of the same job. */
  private final AtomicLong tickets = new AtomicLong();

  Scripted(Redis redis, Lane lane, Failure failure) {
    this.redis = redis;
    this.lane = lane;
    this.keys = lane.keys();
    this.failure = failure;
  }

  @Override
  public Taken lease(String worker) {
    return taken(redis.run(Script.LEASE, keys, of(worker)));
  }

  @Override
  public Taken claim(String worker, String entry, boolean isRecent) {
    return taken(run(Script.CLAIM, worker, entry, flag(isRecent)));
  }

  private Taken taken(@Nullable Object reply) {
    return Taken.read(reply, lane.level() + "-" + tickets.incrementAndGet());
  }

  @Override
  public Ended complete(String worker, Taken.Leased job, Verdict.Done done, boolean goesOn) {
    String next = done.nextQueue();
    Taken.Book book = job.book();
    List<String> own = new ArrayList<>(done.fields().size() + 8);
    own.add(job.entry());
    own.add(flag(goesOn));
    own.add(next == null ? "" : lane.dialect().waiting(next, lane.level()));
    own.add(next == null ? "" : OwnKeys.queue(next));
    own.add(book.priority());
    own.add(book.unique());
    own.add(flag(!book.equals(Taken.Book.NONE)));
    own.add(job.ticket());
    own.addAll(done.fields());
    return ended(redis.run(Script.COMPLETE, keys, joined(worker, own)));
  }

  @Override
  public Ended again(String worker, Taken.Leased job, Verdict.Again again, boolean goesOn) {
    return fail(
        worker,
        job,
        goesOn,
        again.isAttempt() ? "retry" : "later",
        Long.toString(again.delay().toMillis()),
        again.reason(),
        lane.dialect() == Dialect.MAIN && again.isAttempt()
            ? List.of("retries:" + lane.name())
            : List.of());
  }

  @Override
  public Ended fail(String worker, Taken.Leased job, Verdict.Failed failed, boolean goesOn) {
    return fail(
        worker, job, goesOn, "fail", "0", failed.message(), failure.fields(failed.message()));
  }

  private Ended fail(
      String worker,
      Taken.Leased job,
      boolean goesOn,
      String how,
      String delayMillis,
      String why,
      List<String> fields) {
    List<String> own = new ArrayList<>(16);
    own.add(job.entry());
    own.add(flag(goesOn));
    own.add(how);
    own.add(delayMillis);
    own.add(why);
    own.add(job.book().priority());
    own.add(job.book().unique());
    own.add(Integer.toString(lane.policy().deadLimit()));
    own.add(job.ticket());
    own.addAll(fields);
    return ended(redis.run(Script.FAIL, keys, joined(worker, own)));
  }

  @Override
  public boolean release(String worker, String entry) {
    return "OK".equals(run(Script.RELEASE, worker, entry));
  }

  private Ended ended(@Nullable Object reply) {
    List<?> parts = (List<?>) Replies.need(reply);
    Object next = parts.size() < 2 ? null : parts.get(1);
    return new Ended(
        Ended.Status.valueOf(Replies.text(parts.getFirst())), next == null ? null : taken(next));
  }

  private @Nullable Object run(Script script, String worker, String... own) {
    return redis.run(script, keys, joined(worker, List.of(own)));
  }

  private List<String> of(String worker) {
    return arguments.computeIfAbsent(worker, lane::arguments);
  }

  private List<String> joined(String worker, List<String> own) {
    List<String> common = of(worker);
    List<String> all = new ArrayList<>(common.size() + own.size());
    all.addAll(common);
    all.addAll(own);
    return all;
  }

  private static String flag(boolean value) {
    return value ? "1" : "0";
  }
}
