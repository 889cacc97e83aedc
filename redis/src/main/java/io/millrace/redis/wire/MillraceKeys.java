package io.millrace.redis.wire;

/**
 * The keys that Millrace adds. They all begin with {@code millrace:}, which workers in Node.js
 * never read; a queue works without them.
 */
public final class MillraceKeys {

  private MillraceKeys() {}

  /** Begin of all keys of a queue; the scripts append {@code delayed}, {@code dead} and so on. */
  public static String queue(String queue) {
    return "millrace:queue:" + queue + ":";
  }

  /** Entries that become due later: a sorted set by the time in milliseconds. */
  public static String delayed(String queue) {
    return queue(queue) + "delayed";
  }

  /** Entries whose job failed for good: a sorted set by the time of that in milliseconds. */
  public static String dead(String queue) {
    return queue(queue) + "dead";
  }

  /**
   * Exists while the workers of Millrace take no job from the queue; its value says why, who wanted
   * it, and since when.
   */
  public static String paused(String queue) {
    return queue(queue) + "paused";
  }

  /**
   * What Millrace keeps of a job: a hash with {@code priority}, {@code unique}, {@code progress} (0
   * to 100) and {@code note} with the queue {@code toldIn}, and for each queue {@code
   * attempts:<queue>}, {@code since:<queue>} (the first of them, in ms since 1970), {@code
   * stalls:<queue>} and {@code slot:<queue>} (when a limit lets it begin). Lives as long as the
   * job.
   */
  public static String meta(String flow, String id) {
    return "millrace:job:" + flow + ":" + id;
  }

  /** Returns the key of {@link #meta} for the job whose hash has this key. */
  public static String metaOf(String job) {
    return "millrace:" + job;
  }

  /** Holds the entry, as it stands in lists, of the job that was made with a unique key. */
  public static String unique(String flow, String key) {
    return "millrace:unique:" + flow + ":" + key;
  }

  /** The flows that processes have registered: a hash from the name to its JSON. */
  public static String flows() {
    return "millrace:flows";
  }

  /**
   * The processes that work on a queue: a hash from the process to its JSON, with its last beat.
   */
  public static String workers(String queue) {
    return queue(queue) + "workers";
  }

  /**
   * Totals of a queue: a hash with {@code completed}, {@code failed}, {@code retried}, {@code
   * recovered} and {@code expired}, and {@code expiredAt}, the time of the last expired job in
   * milliseconds.
   */
  public static String totals(String queue) {
    return queue(queue) + "totals";
  }

  /**
   * The state of the round that renews the jobs of a flow in a queue: a hash with the time of the
   * next page and its position.
   */
  public static String renewal(String queue, String flow) {
    return queue(queue) + "renewal:" + flow;
  }

  /** The element of a list that a continuous workflow has taken: a hash with id and element. */
  public static String taken(String workflow) {
    return "millrace:trigger:" + workflow + ":taken";
  }

  /** Elements that a continuous workflow could not take, for they are too long: a list. */
  public static String tooLong(String workflow) {
    return "millrace:trigger:" + workflow + ":too-long";
  }
}
