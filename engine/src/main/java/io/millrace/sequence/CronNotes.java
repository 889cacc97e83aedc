package io.millrace.sequence;

import io.millrace.schedule.CronExpression;
import io.millrace.schedule.Explanation;
import io.millrace.schedule.Recurrence;
import io.millrace.schedule.Slot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what crons mean, and which of them look like a slip. */
final class CronNotes {

  private static final Logger LOG = LoggerFactory.getLogger(CronNotes.class);

  /**
   * One sentence.
   *
   * @param odd true for what is probably not meant
   */
  record Note(boolean odd, String text) {}

  private CronNotes() {}

  /** What the crons of the schedulers mean. */
  static List<Note> of(SequenceSettings.Crons crons, Instant now) {
    List<Note> notes = new ArrayList<>();
    explain(notes, "workflowExecutorCron", crons.executor(), now);
    explain(notes, "workflowRetryExecutorCron", crons.retry(), now);
    explain(notes, "workflowAutoCorrectionSchedular", crons.autoCorrection(), now);
    return notes;
  }

  private static void explain(
      List<Note> notes, String key, @Nullable CronExpression cron, Instant now) {
    if (cron == null) {
      return;
    }
    Explanation meaning = Explanation.of(Crons.schedule(cron), now);
    String next = meaning.next().stream().map(Slot::at).toList().toString();
    notes.add(
        new Note(false, key + " is '" + cron + "': " + meaning.words() + "; next at " + next));
    warn(notes, key, cron, meaning);
  }

  /** What is probably not meant in the cron of a workflow. */
  static List<Note> of(TaskSequence sequence, Instant now) {
    List<Note> notes = new ArrayList<>();
    if (sequence.schedule().recurrence() instanceof Recurrence.Cron cron) {
      warn(
          notes,
          "The schedule of workflow '" + sequence.workflowId() + "'",
          cron.expression(),
          Explanation.of(sequence.schedule(), now));
    }
    return notes;
  }

  private static void warn(
      List<Note> notes, String what, CronExpression cron, Explanation meaning) {
    for (String warning : meaning.warnings()) {
      notes.add(new Note(true, what + " is '" + cron + "': " + warning));
    }
  }

  static void log(List<Note> notes) {
    for (Note note : notes) {
      if (note.odd) {
        LOG.warn(note.text);
      } else {
        LOG.info(note.text);
      }
    }
  }
}
