package io.millrace.verification.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.ImportedState;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceStatus;
import io.millrace.store.SequenceStore.SlotOutcome;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workflows that another system has run before; it is Monday, 5 January 2026, eight o'clock. */
class ImportedStateTest extends SequenceFixture {

  private static final Instant OWED = Instant.parse("2026-01-03T00:00:01Z");
  private static final Instant LAST = Instant.parse("2026-01-02T00:00:07Z");

  @BeforeEach
  void open() {
    runTasks("A");
  }

  private void adopt(Instant nextRun, boolean immediate, boolean paused) {
    sequences()
        .importSequence(
            sequence(DAILY, "A"),
            new ImportedState(nextRun, LAST, immediate, paused ? BY_ANN : null));
  }

  @Test
  void whatItOwesIsRunOnceAndWhatItHasRunIsNot() {
    adopt(OWED, false, false);
    ScheduledSequence adopted = get();
    assertThat(adopted.status()).isEqualTo(SequenceStatus.NOT_STARTED);
    assertThat(adopted.times().nextRun()).isEqualTo(OWED);
    assertThat(adopted.times().lastRun()).isEqualTo(LAST);
    engine.runUntilIdle();
    assertThat(log).containsExactly("A 2026-01-04T00:00:00Z 2026-01-05T00:00:00Z");
    assertThat(sequences().fires(ID, null, 10))
        .extracting(fire -> fire.fire().slot() + " " + fire.fire().outcome())
        .containsExactly(
            "2026-01-05T00:00:01Z " + SlotOutcome.FIRED,
            "2026-01-04T00:00:01Z " + SlotOutcome.MISSED,
            "2026-01-03T00:00:01Z " + SlotOutcome.MISSED);
    engine.advance(DAY);
    assertThat(log).hasSize(2);
    assertThat(get().times().lastRun()).isAfter(LAST);
  }

  @Test
  void aPausedOneWaitsForSomebodyAndThenRunsWhatItOwes() {
    adopt(OWED, false, true);
    assertThat(get().flags().pausedBy()).isEqualTo("ann");
    assertThat(get().flags().pauseReason()).isEqualTo("because");
    engine.advance(DAY);
    assertThat(log).isEmpty();
    sequences().resumeSchedule(ID);
    engine.runUntilIdle();
    assertThat(log).containsExactly("A 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");
  }

  @Test
  void oneWithoutNextRunRestsAndOneThatIsWantedAtOnceDoesNot() {
    adopt(null, false, false);
    engine.advance(DAY);
    assertThat(log).isEmpty();
    sequences().remove(ID);
    adopt(Instant.parse("2026-01-08T00:00:01Z"), true, false);
    engine.runUntilIdle();
    assertThat(log).containsExactly("A 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");
    assertThat(get().times().nextRun()).isEqualTo("2026-01-08T00:00:01Z");
  }

  @Test
  void anIdIsTakenOnce() {
    adopt(OWED, false, false);
    assertThatThrownBy(() -> adopt(OWED, false, false))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'" + ID + "' already");
  }
}
