package io.millrace.store;

import io.millrace.instance.StopReason;
import org.jspecify.annotations.Nullable;

/** Texts for the start modes and reasons of a trigger's runs. */
public final class RunStartCodes {

  /** By itself. */
  public static final String AUTO = "AutoStart";

  /** Started as the next generation of a run. */
  public static final String CONTINUATION = "AutoStart (Continuation)";

  /** By a person. */
  public static final String MANUAL = "ManualStart";

  /** A reason: the workflow is new, or the nodes are replaced one after another. */
  public static final String DEPLOY = "DEPLOY";

  /** A reason: a person wanted it. */
  public static final String MANUAL_REASON = "MANUAL";

  /** A reason: its owner has died. */
  public static final String FAILOVER = "FAILOVER";

  /** A reason: its owner has stopped in good order. */
  public static final String HAND_OVER = "HAND_OVER";

  /** The reason of a run whose owner was recycled. */
  public static final String RECYCLE = "RECYCLE";

  /** A reason: its trigger has failed. */
  public static final String RESTART = "RESTART";

  private RunStartCodes() {}

  /**
   * The reason of a run whose owner before it has stopped in good order.
   *
   * @param why of that stop; null when nobody knows
   */
  public static String after(@Nullable StopReason why) {
    return switch (why) {
      case RECYCLE -> RECYCLE;
      case ROLLOUT -> DEPLOY;
      case DRAIN, SHUTDOWN -> HAND_OVER;
      case null -> HAND_OVER;
    };
  }
}
