package io.millrace.store;

/**
 * The numbers that distinguish the fires of one slot of a sequence. They are made of the sequence's
 * revision, since a fire changes it: no other fire of the sequence has the same one.
 *
 * <p>Two fires with numbers up to 0 stand for the same execution if their data windows are the
 * same. A fire with a positive number stands for itself alone.
 */
public final class FireNumber {

  /** The number of a fire by the schedule or a backfill. */
  public static final int SCHEDULED = 0;

  private FireNumber() {}

  /**
   * Returns the number of a fire that an operator has asked for: a manual or requested run, or a
   * restart. It is positive.
   *
   * @param revision the sequence's revision before the fire
   */
  public static int asked(int revision) {
    return revision;
  }

  /**
   * Returns the number of a fire by the schedule or a backfill at a slot that already has an
   * execution, for another data window. It is negative.
   *
   * @param revision the sequence's revision before the fire
   */
  public static int otherWindow(int revision) {
    return -revision;
  }

  /** Returns true for a fire that an operator has asked for. */
  public static boolean isAsked(int fireNumber) {
    return fireNumber > SCHEDULED;
  }
}
