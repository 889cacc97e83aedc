package io.millrace.verification.kill;

import java.util.ArrayList;
import java.util.List;

/**
 * A point of one task of a sequence at which an execution is stopped. The id of the sequence
 * contains it.
 */
record StopPoint(Point point, int sequence) {

  /** The points of a step, in the order in which it passes them. */
  enum Point {
    /** Its message is claimed from the outbox, before it is sent. */
    FIRED,
    /** Its message is taken from the outbox, before it is sent. */
    PICKED,
    /** Its message is at the broker, before it is deleted from the outbox. */
    PUBLISHED,
    /** Its message has arrived, before the execution is claimed. */
    RECEIVED,
    /** The execution is claimed, before the task's handler runs. */
    TAKEN,
    /** The handler is running. */
    HANDLER,
    /** The handler has returned, before its answer is saved. */
    ANSWERED,
    /** The answer is saved, before the message is acknowledged. */
    SAVED,
    /** The answer is saved, before the message to the next task is claimed from the outbox. */
    BETWEEN
  }

  /** Tasks of every sequence, in order. */
  static final List<String> TASKS = List.of("KPI", "PDF", "EMAIL");

  /** Returns every point of every task. */
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

  /** Returns the sequence whose execution is stopped here. */
  String sequenceId() {
    return point + "-" + sequence;
  }

  static StopPoint of(String sequenceId) {
    int dash = sequenceId.indexOf('-');
    return new StopPoint(
        Point.valueOf(sequenceId.substring(0, dash)),
        Integer.parseInt(sequenceId.substring(dash + 1)));
  }

  /** True if the thread that sends messages stops the message or does not send it. */
  boolean isSending() {
    return point == Point.PICKED || point == Point.PUBLISHED;
  }

  /** True if the execution must not reach its task before the sending of messages is held. */
  boolean waits() {
    return point == Point.BETWEEN || (isSending() && sequence > 1);
  }

  /** Returns the task in whose handler a waiting execution waits. */
  int waitsIn() {
    return point == Point.BETWEEN ? sequence : sequence - 1;
  }
}
