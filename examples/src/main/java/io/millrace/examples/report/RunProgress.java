package io.millrace.examples.report;

import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import java.util.Locale;

/**
 * The progress of a run.
 *
 * @param state the workflow's state, in lower case
 * @param done number of collected commits
 * @param total number of commits to collect; 0 if not known yet
 */
record RunProgress(String state, long done, long total) {

  /** Reads the progress from an instance. */
  static RunProgress of(WorkflowInstance instance) {
    Progress progress = instance.progress();
    String state = instance.state().toLowerCase(Locale.ROOT);
    return progress == null
        ? new RunProgress(state, 0, 0)
        : new RunProgress(state, progress.done(), progress.total());
  }

  /** Returns the state with its count: "collect, 4,000 of 12,345 commits". */
  String words() {
    return total == 0 ? state : state + ", " + count();
  }

  String count() {
    return HumanFormat.number(done) + " of " + HumanFormat.count(total, "commit");
  }
}
