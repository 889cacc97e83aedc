package io.millrace.store;

import io.millrace.instance.LogLine;
import java.util.List;

/** Log lines of handlers, deleted with their instance and when it is archived. */
public interface LogStore {

  /**
   * Adds lines in their order, in one statement; those of instances that are not there (any more)
   * are dropped. Too long texts are cut. How many lines an instance may have is the caller's
   * business. After an error it is unknown whether the lines were added.
   *
   * @param lines their ids are ignored
   */
  void append(List<LogLine> lines);

  /** Lines with a greater id, oldest first, at most {@code limit}. */
  List<LogLine> lines(long instanceId, long afterId, int limit);
}
