package io.millrace.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.CronExpression;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.CronDiagnostics.Note;
import io.millrace.sequence.SequenceSettings.SchedulerCrons;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The crons of a sample from another system are explained, with warnings about surprising ones. */
class CronDiagnosticsTest {

  private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

  @Test
  void everyCronIsExplainedWithItsNextFiveFires() {
    List<Note> notes =
        CronDiagnostics.of(
            new SchedulerCrons(
                CronExpression.parse("0 0 8 ? * MON-FRI *"),
                null,
                CronExpression.parse("0 0 */4 ? * *")),
            NOW);

    assertThat(notes).hasSize(2).noneMatch(Note::suspicious);
    assertThat(notes.getFirst().text())
        .startsWith("workflowExecutorCron is '0 0 8 ? * MON-FRI *': ")
        .endsWith(
            "next at [2026-01-06T08:00:00Z, 2026-01-07T08:00:00Z, 2026-01-08T08:00:00Z,"
                + " 2026-01-09T08:00:00Z, 2026-01-12T08:00:00Z]");
    assertThat(notes.getLast().text()).startsWith("workflowAutoCorrectionSchedular is ");
  }

  @Test
  void theSamplesOfTheSourceSystemAreWarnedOf() {
    List<Note> notes =
        CronDiagnostics.of(
            new SchedulerCrons(
                CronExpression.parse("0/30 0 0 ? * * *"),
                CronExpression.parse("0/1 0 0 ? * * *"),
                CronExpression.parse("0 */1 * ? * *")),
            NOW);

    List<String> odd = notes.stream().filter(Note::suspicious).map(Note::text).toList();
    assertThat(odd).hasSize(2);
    assertThat(odd.getFirst()).contains("workflowExecutorCron", "2 times within 30 seconds");
    assertThat(odd.getLast()).contains("workflowRetryExecutorCron", "60 times within 59 seconds");
  }

  @Test
  void anOddCronOfASequenceIsWarnedOf() {
    assertThat(CronDiagnostics.of(sequence(Schedule.cron("0/1 0 0 ? * * *")), NOW))
        .singleElement()
        .satisfies(note -> {
          assertThat(note.suspicious()).isTrue();
          assertThat(note.text()).contains("sequence 'Report_1'", "60 times");
        });
    assertThat(CronDiagnostics.of(sequence(Schedule.cron("0 0 8 ? * *")), NOW)).isEmpty();
    assertThat(CronDiagnostics.of(sequence(Schedule.of(Frequency.DAILY)), NOW)).isEmpty();
  }

  private static TaskSequence sequence(Schedule schedule) {
    return TaskSequence.of("Report_1", "Report", schedule).task("KPI");
  }
}
