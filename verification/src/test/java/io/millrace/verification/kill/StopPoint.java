package io.millrace.verification.kill;

import java.util.ArrayList;
import java.util.List;

/** Where an execution is stopped: at a point of one task of its sequence. Its sequence says so. */
record StopPoint(Point point, int sequence) {

  /** The points of a step, in the order in which it passes them. */
  enum Point {
    /** Fired by its schedule and committed, before its message is looked for. */
    FIRED,
    /** Its message is taken from the outbox, before it is sent. */
    PICKED,
    /** Its message is with the broker, before it is deleted from the outbox. */
    PUBLISHED,
    /** Its message has come, before the execution is taken. */
    RECEIVED,
    /** The execution is taken, before the task's handler runs. */
    TAKEN,
    /** Inside of the handler. */
    HANDLER,
    /** The handler has returned, before its answer is saved. */
    ANSWERED,
    /** The answer is saved, before the message is acknowledged. */
    SAVED,
    /** The answer is saved, before the message to the next task is taken from the outbox. */
    BETWEEN
  }

  /** The tasks of every sequence, in their order. */
  static final List<String> TASKS = List.of("KPI", "PDF", "EMAIL");

  /** Every point of every task. */
  static List<StopPoint> all() {
    List<StopPoint> all = new ArrayList<>();
    for (Point point : Point.values()) {
      int last =
          switch (point) {
            case FIRED -> 1;
            case BETWEEN -> TASKS.size() - 1;
            default -> TASKS.size();
          };
      for (int sequence = 1; sequence <= last; sequence++) {
        all.add(new StopPoint(point, sequence));
      }
    }
    return all;
  }

  /** The sequence whose execution is stopped here. */
  String sequenceId() {
    return point + "-" + sequence;
  }

  static StopPoint of(String sequenceId) {
    int dash = sequenceId.indexOf('-');
    return new StopPoint(
        Point.valueOf(sequenceId.substring(0, dash)),
        Integer.parseInt(sequenceId.substring(dash + 1)));
  }

  /** True for a message that is stopped, or not let out, by the thread that sends it. */
  boolean isSending() {
    return point == Point.PICKED || point == Point.PUBLISHED;
  }

  /** True for one that must not go on to its task before the sending of messages is held. */
  boolean waits() {
    return point == Point.BETWEEN || (isSending() && sequence > 1);
  }

  /** The task in whose handler one that waits does so. */
  int waitsIn() {
    return point == Point.BETWEEN ? sequence : sequence - 1;
  }
}
