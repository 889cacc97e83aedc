package io.millrace.redis.wire;

/**
 * The dialect of the protocol shared with the workers in Node.js, which determines the names of
 * keys. Jobs are named by their flow and id; a child's flow is the name of its queue, {@code
 * <parentQueue>:<child>}.
 */
public enum RedisDialect {
  /** Dialect of version 0.0.8, the one on npm. Locks live a second longer than requested. */
  V0_0_8(1) {
    @Override
    public String entry(String flow, String id) {
      return id;
    }

    @Override
    public String waiting(String queue, int level) {
      return "queue:" + queue + ":waiting";
    }

    @Override
    public String processing(String queue, int level) {
      return "queue:" + queue + ":processing";
    }

    @Override
    public String delayed(String queue, int level) {
      return MillraceKeys.delayed(queue);
    }
  },

  /**
   * The main dialect: that of the main branch of the npm package's repository. Each priority level
   * has lists of its own.
   */
  MAIN(2) {
    @Override
    public String entry(String flow, String id) {
      return flow + ":" + id;
    }

    @Override
    public String waiting(String queue, int level) {
      return "queue:" + queue + ":" + level + ":waiting";
    }

    @Override
    public String processing(String queue, int level) {
      return "queue:" + queue + ":" + level + ":processing";
    }

    @Override
    public String delayed(String queue, int level) {
      return "queue:" + queue + ":" + level + ":delayed";
    }
  };

  private final int extraLockSeconds;

  RedisDialect(int extraLockSeconds) {
    this.extraLockSeconds = extraLockSeconds;
  }

  /** Returns the entry of a job in the lists of a queue. */
  public abstract String entry(String flow, String id);

  /**
   * Returns the key of the list of waiting jobs.
   *
   * @param level the priority level; 1 is the highest
   */
  public abstract String waiting(String queue, int level);

  /** Returns the key of the list of jobs in processing. */
  public abstract String processing(String queue, int level);

  /** Returns the key of the sorted set of delayed jobs, by the due time in milliseconds. */
  public abstract String delayed(String queue, int level);

  /** Returns the key of the hash of a job. */
  public String job(String flow, String id) {
    return "job:" + flow + ":" + id;
  }

  /**
   * Returns the key of the lock of a job.
   *
   * @param entry its entry in the queue's lists
   */
  public String lock(String queue, String entry) {
    return "lock:" + queue + ":" + entry;
  }

  /** Returns the key of the list of jobs that have a value in a lookup attribute. */
  public String lookup(String flow, String attribute, String value) {
    return "job:" + flow + ":" + attribute + ":" + value;
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

  /** Returns by how many seconds a lock lives longer than the lock time. */
  public int extraLockSeconds() {
    return extraLockSeconds;
  }
}
