package io.millrace.sequence;

import io.millrace.schedule.CronExpression;
import io.millrace.schedule.Recurrence;
import io.millrace.schedule.ScheduleExplanation;
import io.millrace.schedule.Slot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Explanations of crons, and warnings about probable mistakes. */
final class CronDiagnostics {

  private static final Logger LOG = LoggerFactory.getLogger(CronDiagnostics.class);

  /**
   * A note about a cron.
   *
   * @param suspicious true for a probable mistake
   */
  record Note(boolean suspicious, String text) {}

  private CronDiagnostics() {}

  /** Returns explanations of the crons of the settings. */
  static List<Note> of(SequenceSettings.SchedulerCrons schedulerCrons, Instant now) {
    List<Note> notes = new ArrayList<>();
    explain(notes, "workflowExecutorCron", schedulerCrons.startCron(), now);
    explain(notes, "workflowRetryExecutorCron", schedulerCrons.retryCron(), now);
    explain(notes, "workflowAutoCorrectionSchedular", schedulerCrons.autoCorrectionCron(), now);
    return notes;
  }

  private static void explain(
      List<Note> notes, String key, @Nullable CronExpression cron, Instant now) {
    if (cron == null) {
      return;
    }
    ScheduleExplanation meaning = ScheduleExplanation.of(CronSchedules.schedule(cron), now);
    String next = meaning.next().stream().map(Slot::at).toList().toString();
    notes.add(
        new Note(false, key + " is '" + cron + "': " + meaning.words() + "; next at " + next));
    warn(notes, key, cron, meaning);
  }

  /** Returns probable mistakes in the cron of a sequence. */
  static List<Note> of(TaskSequence sequence, Instant now) {
    List<Note> notes = new ArrayList<>();
    if (sequence.schedule().recurrence() instanceof Recurrence.Cron cron) {
      warn(
          notes,
          "The schedule of sequence '" + sequence.sequenceId() + "'",
          cron.expression(),
          ScheduleExplanation.of(sequence.schedule(), now));
    }
    return notes;
  }

  private static void warn(
      List<Note> notes, String what, CronExpression cron, ScheduleExplanation meaning) {
    for (String warning : meaning.warnings()) {
      notes.add(new Note(true, what + " is '" + cron + "': " + warning));
    }
  }

  static void log(List<Note> notes) {
    for (Note note : notes) {
      if (note.suspicious) {
        LOG.warn(note.text);
      } else {
        LOG.info(note.text);
      }
    }
  }
}
