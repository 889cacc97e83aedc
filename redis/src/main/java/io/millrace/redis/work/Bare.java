package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The very commands of the npm package, for proofs and for those who want nothing else: what comes
 * between two commands of a step is not fenced.
 */
final class Bare implements Protocol {

  private final Redis redis;
  private final Lane lane;
  private final Failure failure;

  Bare(Redis redis, Lane lane, Failure failure) {
    this.redis = redis;
    this.lane = lane;
    this.failure = failure;
  }

  /** Jobs are only waited for. */
  @Override
  public Taken lease(String worker) {
    return new Taken.Empty();
  }

  @Override
  public Taken claim(String worker, String entry, boolean isRecent) {
    redis.call("SET", lane.lock(entry), worker, "EX", Long.toString(lane.lockSeconds()));
    List<String> attributes = lane.queue().attributes();
    List<List<String>> commands = new ArrayList<>();
    for (String attribute : attributes) {
      commands.add(List.of("HGET", lane.job(entry), attribute));
    }
    List<@Nullable String> texts = Replies.texts(redis.pipelined(commands));
    int correlation = attributes.indexOf(LeasedJob.CORRELATION);
    List<@Nullable String> all = new ArrayList<>(texts.size() + 1);
    all.add(correlation < 0 ? null : texts.get(correlation));
    all.addAll(texts);
    return new Taken.Leased(entry, all, Taken.Book.NONE, "");
  }

  @Override
  public Ended complete(String worker, Taken.Leased job, Verdict.Done done, boolean goesOn) {
    String entry = job.entry();
    store(entry, done.fields());
    String next = done.nextQueue();
    String waiting = next == null ? null : lane.dialect().waiting(next, 1);
    List<List<String>> commands = new ArrayList<>();
    if (waiting != null) {
      commands.add(List.of("RPUSH", waiting, entry));
    }
    commands.add(List.of("LREM", lane.processing(), "1", entry));
    commands.add(List.of("DEL", lane.lock(entry)));
    commands.add(List.of("LLEN", lane.processing()));
    List<@Nullable Object> replies = redis.transaction(commands);
    if (Replies.number(replies.get(replies.size() - 3)) > 0) {
      return new Ended(Ended.Status.OK, null);
    }
    if (waiting != null) {
      redis.call("LREM", waiting, "-1", entry);
    }
    return new Ended(Ended.Status.INVALID, null);
  }

  /** The protocol knows no second try: it fails. */
  @Override
  public Ended again(String worker, Taken.Leased job, Verdict.Again again, boolean goesOn) {
    return fail(worker, job, new Verdict.Failed(again.reason(), again.cause()), goesOn);
  }

  @Override
  public Ended fail(String worker, Taken.Leased job, Verdict.Failed failed, boolean goesOn) {
    store(job.entry(), failure.fields(failed.message()));
    long removed = Replies.number(redis.call("LREM", lane.processing(), "1", job.entry()));
    return new Ended(removed > 0 ? Ended.Status.OK : Ended.Status.INVALID, null);
  }

  private void store(String entry, List<String> fields) {
    List<String> command = new ArrayList<>(fields.size() + 2);
    command.add("HSET");
    command.add(lane.job(entry));
    command.addAll(fields);
    redis.call(command.toArray(String[]::new));
  }

  @Override
  public boolean release(String worker, String entry) {
    List<@Nullable Object> replies =
        redis.transaction(
            List.of(
                List.of("LPUSH", lane.waiting(), entry),
                List.of("LREM", lane.processing(), "-1", entry),
                List.of("DEL", lane.lock(entry))));
    return Replies.number(replies.get(1)) > 0;
  }
}
