package io.millrace.redis.wire;

/**
 * The protocol that is spoken with the workers in Node.js: how keys are called. Jobs are named by
 * their flow and id; a child's flow is the name of its queue, {@code <parentQueue>:<child>}.
 */
public enum RedisDialect {
  /** That of version 0.0.8, the one on npm. Locks live a second longer than asked for. */
  V0_0_8(1) {
    @Override
    public String entry(String flow, String id) {
      return id;
    }

    @Override
    public String waiting(String queue, int priority) {
      return "queue:" + queue + ":waiting";
    }

    @Override
    public String processing(String queue, int priority) {
      return "queue:" + queue + ":processing";
    }

    @Override
    public String delayed(String queue, int priority) {
      return MillraceKeys.delayed(queue);
    }
  },

  /** That of the head of its repository: priorities are part of the lists' names. */
  MAIN(2) {
    @Override
    public String entry(String flow, String id) {
      return flow + ":" + id;
    }

    @Override
    public String waiting(String queue, int priority) {
      return "queue:" + queue + ":" + priority + ":waiting";
    }

    @Override
    public String processing(String queue, int priority) {
      return "queue:" + queue + ":" + priority + ":processing";
    }

    @Override
    public String delayed(String queue, int priority) {
      return "queue:" + queue + ":" + priority + ":delayed";
    }
  };

  private final int extraLockSeconds;

  RedisDialect(int extraLockSeconds) {
    this.extraLockSeconds = extraLockSeconds;
  }

  /** How a job stands in the lists of a queue. */
  public abstract String entry(String flow, String id);

  /**
   * The list of the jobs that wait.
   *
   * @param priority 1 is the most urgent
   */
  public abstract String waiting(String queue, int priority);

  /** The list of the jobs that are worked on. */
  public abstract String processing(String queue, int priority);

  /** The sorted set of the jobs that become due later, by the time in milliseconds. */
  public abstract String delayed(String queue, int priority);

  /** The hash of a job. */
  public String job(String flow, String id) {
    return "job:" + flow + ":" + id;
  }

  /**
   * The lock of the worker that has a job.
   *
   * @param entry as it stands in the queue's lists
   */
  public String lock(String queue, String entry) {
    return "lock:" + queue + ":" + entry;
  }

  /** The list of the jobs that have a value in a lookup attribute. */
  public String lookup(String flow, String attribute, String value) {
    return "job:" + flow + ":" + attribute + ":" + value;
  }

  /** The name of a child's queue, which is its flow too. */
  public static String childQueue(String parentQueue, String child) {
    return parentQueue + ":" + child;
  }

  /** The field of a parent that holds what its children are made of. */
  public static String childrenParams(String parentQueue) {
    return "children:" + parentQueue + ":params";
  }

  /** The field of a parent that holds the keys of its children. */
  public static String childrenJobs(String parentQueue) {
    return "children:" + parentQueue + ":jobs";
  }

  /** How much longer than the lock time a lock lives, in seconds. */
  public int extraLockSeconds() {
    return extraLockSeconds;
  }
}
