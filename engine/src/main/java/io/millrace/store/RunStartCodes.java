package io.millrace.store;

import io.millrace.instance.StopReason;
import org.jspecify.annotations.Nullable;

/** Texts for the start modes and reasons of a trigger's runs. */
public final class RunStartCodes {

  /** Mode of a run that the engine started. */
  public static final String AUTO = "AutoStart";

  /** Mode of the next generation of a run. */
  public static final String CONTINUATION = "AutoStart (Continuation)";

  /** Mode of a run that an operator started. */
  public static final String MANUAL = "ManualStart";

  /** Reason: the workflow is new, or a rollout replaced its executor. */
  public static final String DEPLOY = "DEPLOY";

  /** Reason: an operator requested it. */
  public static final String MANUAL_REASON = "MANUAL";

  /** Reason: its owner has died. */
  public static final String FAILOVER = "FAILOVER";

  /** Reason: its owner has stopped in good order. */
  public static final String HAND_OVER = "HAND_OVER";

  /** Reason: its owner was recycled. */
  public static final String RECYCLE = "RECYCLE";

  /** Reason: its trigger has failed. */
  public static final String RESTART = "RESTART";

  private RunStartCodes() {}

  /**
   * Returns the reason of a run whose previous owner has stopped in good order.
   *
   * @param why the reason of that stop; null if unknown
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
