package io.millrace.redis.admin;

/**
 * What became of dead jobs that were to be put back.
 *
 * @param requeued how many wait again
 * @param gone how many Redis has forgotten; they are dead no more
 * @param held how many stay dead, since another job has their unique key
 */
public record RequeueResult(int requeued, int gone, int held) {

  static final RequeueResult NONE = new RequeueResult(0, 0, 0);

  RequeueResult plus(RequeueResult more) {
    return new RequeueResult(requeued + more.requeued, gone + more.gone, held + more.held);
  }
}
