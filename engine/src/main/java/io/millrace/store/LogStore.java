package io.millrace.store;

import io.millrace.instance.LogLine;
import java.util.List;

/** The log lines of handlers, deleted with their instance and when it is archived. */
public interface LogStore {

  /**
   * Adds lines in their order, in one statement. Lines of missing instances are dropped. Too long
   * texts are cut. The caller limits the number of lines of an instance. After an error it is
   * unknown whether the lines were added.
   *
   * @param lines their ids are ignored
   */
  void append(List<LogLine> lines);

  /** Returns lines with a greater id, oldest first, at most {@code limit}. */
  List<LogLine> lines(long instanceId, long afterId, int limit);
}
