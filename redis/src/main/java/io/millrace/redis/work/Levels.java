package io.millrace.redis.work;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Where each level of urgency has lists of its own: a job is taken from the first level that has
 * one, and its end is told there. Thread-safe.
 */
final class Levels implements Protocol {

  private final List<Protocol> levels;

  /** The level of each job that was taken here; a job that is heard of is of the first. */
  private final Map<String, Protocol> taken = new ConcurrentHashMap<>();

  /**
   * Speaks about all levels.
   *
   * @param levels the most urgent first
   */
  Levels(List<Lane> levels, Function<Lane, Protocol> protocol) {
    this.levels = levels.stream().map(protocol).toList();
  }

  @Override
  public Taken lease(String worker) {
    Taken answer = new Taken.Empty();
    for (Protocol level : levels) {
      answer = level.lease(worker);
      if (answer instanceof Taken.Leased leased) {
        taken.put(leased.entry(), level);
      }
      if (!(answer instanceof Taken.Empty)) {
        return answer;
      }
    }
    return answer;
  }

  @Override
  public Taken claim(String worker, String entry, boolean isRecent) {
    return levels.getFirst().claim(worker, entry, isRecent);
  }

  /** The next job is asked for anew: a more urgent one may have come. */
  @Override
  public Ended complete(String worker, Taken.Leased job, Verdict.Done done, boolean goesOn) {
    return ended(job.entry(), level -> level.complete(worker, job, done, false));
  }

  @Override
  public Ended again(String worker, Taken.Leased job, Verdict.Again again, boolean goesOn) {
    return ended(job.entry(), level -> level.again(worker, job, again, false));
  }

  @Override
  public Ended fail(String worker, Taken.Leased job, Verdict.Failed failed, boolean goesOn) {
    return ended(job.entry(), level -> level.fail(worker, job, failed, false));
  }

  @Override
  public boolean release(String worker, String entry) {
    boolean released = of(entry).release(worker, entry);
    taken.remove(entry);
    return released;
  }

  private Ended ended(String entry, Function<Protocol, Ended> end) {
    Ended ended = end.apply(of(entry));
    taken.remove(entry);
    return ended;
  }

  private Protocol of(String entry) {
    return taken.getOrDefault(entry, levels.getFirst());
  }
}
