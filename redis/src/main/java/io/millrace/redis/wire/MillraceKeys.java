package io.millrace.redis.wire;

/**
 * The keys that Millrace adds. All of them begin with {@code millrace:}; workers in Node.js never
 * read them, and a queue works without them.
 */
public final class MillraceKeys {

  private MillraceKeys() {}

  /**
   * Returns the prefix of all keys of a queue; the scripts append {@code delayed}, {@code dead} and
   * so on.
   */
  public static String queue(String queue) {
    return "millrace:queue:" + queue + ":";
  }

  /** Returns the key of the delayed jobs: a sorted set by the due time in milliseconds. */
  public static String delayed(String queue) {
    return queue(queue) + "delayed";
  }

  /** Returns the key of the dead jobs: a sorted set by the time of failure in milliseconds. */
  public static String dead(String queue) {
    return queue(queue) + "dead";
  }

  /**
   * Returns the key that exists while a queue is paused. Its value has the reason, the requester
   * and the start time.
   */
  public static String paused(String queue) {
    return queue(queue) + "paused";
  }

  /**
   * Returns the key of the data that Millrace keeps of a job: a hash with {@code priority}, {@code
   * unique} (its {@link #holderKey}), {@code progress} (0 to 100) and {@code note} with the queue
   * {@code toldIn}, and for each queue {@code attempts:<queue>}, {@code since:<queue>} (the first
   * of them, in ms since 1970), {@code stalls:<queue>} and {@code startAt:<queue>} (when a rate
   * limit lets it start). It lives as long as the job.
   */
  public static String metadata(String flow, String id) {
    return "millrace:job:" + flow + ":" + id;
  }

  /** Returns the key of {@link #metadata} for the job whose hash has this key. */
  public static String metadataOf(String job) {
    return "millrace:" + job;
  }

  /** Returns the key that holds the id of the job with a unique key. */
  public static String holderKey(String flow, String uniqueKey) {
    return "millrace:unique:" + flow + ":" + uniqueKey;
  }

  /**
   * Returns the key of the flows that processes have registered: a hash from the name to its JSON.
   */
  public static String flows() {
    return "millrace:flows";
  }

  /**
   * Returns the key of the processes that work on a queue: a hash from the process to its JSON,
   * with its last heartbeat.
   */
  public static String workers(String queue) {
    return queue(queue) + "workers";
  }

  /**
   * Returns the key of the totals of a queue: a hash with {@code completed}, {@code failed}, {@code
   * retried}, {@code recovered} and {@code expired}, and {@code expiredAt}, the time of the last
   * expired job in milliseconds.
   */
  public static String totals(String queue) {
    return queue(queue) + "totals";
  }

  /**
   * Returns the key of the state of the round that renews the jobs of a flow in a queue: a hash
   * with the time of the next page and its position.
   */
  public static String renewal(String queue, String flow) {
    return queue(queue) + "renewal:" + flow;
  }

  /**
   * Returns the key of the element that a continuous workflow has removed from its list: a hash
   * with id and element.
   */
  public static String taken(String workflow) {
    return "millrace:trigger:" + workflow + ":taken";
  }

  /** Returns the key of the elements that a continuous workflow has rejected: a list. */
  public static String rejected(String workflow) {
    return "millrace:trigger:" + workflow + ":rejected";
  }
}
