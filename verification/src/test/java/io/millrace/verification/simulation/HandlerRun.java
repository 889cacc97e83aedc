package io.millrace.verification.simulation;

/** A call of a handler, as the simulation saw it. */
final class HandlerRun {

  final SimNode node;
  final SimHost host;
  final long instanceId;
  final int leaseVersion;
  final boolean ignoresCancellation;
  private final long startTime;
  private long fenced = -1;
  private boolean ended;

  /**
   * @param stubborn true if the handler ignores its cancellation
   */
  HandlerRun(SimNode node, long instanceId, int leaseVersion, boolean stubborn, long began) {
    this.node = node;
    this.host = node.host();
    this.instanceId = instanceId;
    this.leaseVersion = leaseVersion;
    this.ignoresCancellation = stubborn;
    this.startTime = began;
  }

  long startTime() {
    return startTime;
  }

  void fence(long now) {
    if (fenced < 0) {
      fenced = now;
    }
  }

  /**
   * Returns the time at which its engine learned that the lease was lost; negative if it has not.
   */
  long fenced() {
    return fenced;
  }

  void end() {
    ended = true;
  }

  /** True while the handler runs; a killed machine runs nothing. */
  boolean running() {
    return !ended && !host.dead();
  }

  @Override
  public String toString() {
    return "handler of instance " + instanceId + " under lease " + leaseVersion + " on " + host;
  }
}
