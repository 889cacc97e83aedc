package io.millrace.store;

/** How a run of a trigger was started, and why, as people read it. */
public final class StartMode {

  /** By itself. */
  public static final String AUTO = "AutoStart";

  /** As the next generation of a run. */
  public static final String CONTINUATION = "AutoStart (Continuation)";

  /** By a person. */
  public static final String MANUAL = "ManualStart";

  /** A reason: the workflow is new. */
  public static final String DEPLOY = "DEPLOY";

  /** A reason: a person wanted it. */
  public static final String BY_HAND = "MANUAL";

  /** A reason: its owner has died. */
  public static final String FAILOVER = "FAILOVER";

  /** A reason: its owner has stopped in good order. */
  public static final String HAND_OVER = "HAND_OVER";

  /** A reason: its trigger has failed. */
  public static final String RESTART = "RESTART";

  private StartMode() {}
}
