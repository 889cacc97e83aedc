package io.millrace.redis.wire;

/**
 * The keys of the protocol shared with the workers in Node.js, that of version 0.0.8 of the npm
 * package. Jobs are named by their flow and id; a child's flow is the name of its queue, {@code
 * <parentQueue>:<child>}. An entry of the list of a queue is the id of a job.
 */
public final class ProtocolKeys {

  private ProtocolKeys() {}

  /** Returns the key of the list of waiting jobs. */
  public static String waiting(String queue) {
    return "queue:" + queue + ":waiting";
  }

  /** Returns the key of the list of jobs in processing. */
  public static String processing(String queue) {
    return "queue:" + queue + ":processing";
  }

  /** Returns the key of the hash of a job. */
  public static String job(String flow, String id) {
    return "job:" + flow + ":" + id;
  }

  /** Returns the key of the lock of a job. */
  public static String lock(String queue, String id) {
    return "lock:" + queue + ":" + id;
  }

  /** Returns the key of the list of jobs that have a value in a lookup field. */
  public static String lookup(String flow, String field, String value) {
    return "job:" + flow + ":" + field + ":" + value;
  }

  /** Returns the name of a child queue, which is also the flow of its jobs. */
  public static String childQueue(String parentQueue, String child) {
    return parentQueue + ":" + child;
  }

  /** Returns the field of a parent that holds the parameters of its children. */
  public static String childrenParams(String parentQueue) {
    return "children:" + parentQueue + ":params";
  }

  /** Returns the field of a parent that holds the keys of its children. */
  public static String childrenJobs(String parentQueue) {
    return "children:" + parentQueue + ":jobs";
  }
}
