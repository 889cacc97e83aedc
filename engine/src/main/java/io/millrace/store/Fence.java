package io.millrace.store;

/**
 * The right to write: a write is accepted only while the stored instance still has exactly these
 * values. The executor id alone does not suffice, since the same executor may have claimed the
 * instance again. The lease version alone does not either, since a write that is repeated after a
 * lost reply would apply twice.
 */
public record Fence(long instanceId, long executorId, int leaseVersion, int seq) {

  /** Returns the fence after one more accepted history entry under the same lease. */
  public Fence advanced() {
    return new Fence(instanceId, executorId, leaseVersion, seq + 1);
  }
}
