package io.millrace.redis.admin;

/**
 * What became of dead jobs that were to be put back.
 *
 * @param requeued how many wait again
 * @param gone how many Redis has forgotten; they are dead no more
 * @param held how many stay dead, since another job has their unique key
 */
public record Requeued(int requeued, int gone, int held) {

  static final Requeued NONE = new Requeued(0, 0, 0);

  Requeued plus(Requeued more) {
    return new Requeued(requeued + more.requeued, gone + more.gone, held + more.held);
  }
}
