package io.millrace.redis.admin;

/**
 * Result of a requeue of dead jobs.
 *
 * @param requeued the number of jobs that wait again
 * @param gone the number of jobs that Redis has deleted, which are removed from the dead ones
 * @param held the number of jobs that stay dead, since another job has their unique key
 */
public record RequeueResult(int requeued, int gone, int held) {

  static final RequeueResult NONE = new RequeueResult(0, 0, 0);

  RequeueResult plus(RequeueResult more) {
    return new RequeueResult(requeued + more.requeued, gone + more.gone, held + more.held);
  }
}
