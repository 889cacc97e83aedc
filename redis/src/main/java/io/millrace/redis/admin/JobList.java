package io.millrace.redis.admin;

/** Where the jobs of a queue are. */
public enum JobList {
  WAITING,
  PROCESSING,
  DELAYED,
  DEAD
}
