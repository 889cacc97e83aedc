package io.millrace.redis.admin;

/** List of a queue in which a job can be. */
public enum JobList {
  WAITING,
  PROCESSING,
  DELAYED,
  DEAD
}
