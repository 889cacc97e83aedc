package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.ConflictException;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ImportedState;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.UpcomingRun;
import io.millrace.store.SequenceStore.SlotOutcome;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of sequences that another system has run before; it is Monday, 5 January 2026, eight
 * o'clock.
 */
class ImportedStateTest extends SequenceFixture {

  private static final Instant OWED = Instant.parse("2026-01-03T00:00:01Z");
  private static final Instant LAST = Instant.parse("2026-01-02T00:00:07Z");

  @BeforeEach
  void open() {
    runTasks("A");
  }

  private void importSequence(Instant nextRun, boolean runRequested, boolean paused) {
    sequences()
        .importSequence(
            sequence(DAILY, "A"),
            new ImportedState(nextRun, LAST, runRequested, paused ? BY_ANN : null));
  }

  @Test
  void whatItOwesIsRunOnceAndWhatItHasRunIsNot() {
    importSequence(OWED, false, false);
    ScheduledSequence imported = get();
    assertThat(imported.status()).isEqualTo(SequenceStatus.NOT_STARTED);
    assertThat(imported.times().nextRun()).isEqualTo(OWED);
    assertThat(imported.times().lastEnded()).isEqualTo(LAST);
    engine.runUntilIdle();
    assertThat(log).containsExactly("A 2026-01-04T00:00:00Z 2026-01-05T00:00:00Z");
    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(stored -> stored.slotRecord().slot() + " " + stored.slotRecord().outcome())
        .containsExactly(
            "2026-01-05T00:00:01Z " + SlotOutcome.FIRED,
            "2026-01-04T00:00:01Z " + SlotOutcome.MISSED,
            "2026-01-03T00:00:01Z " + SlotOutcome.MISSED);
    engine.advance(DAY);
    assertThat(log).hasSize(2);
    assertThat(get().times().lastEnded()).isAfter(LAST);
  }

  @Test
  void aPausedSequenceWaitsForAnOperatorAndThenRunsTheOwedSlots() {
    importSequence(OWED, false, true);
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
    importSequence(null, false, false);
    engine.advance(DAY);
    assertThat(log).isEmpty();
    sequences().remove(ID);
    importSequence(Instant.parse("2026-01-08T00:00:01Z"), true, false);
    engine.runUntilIdle();
    assertThat(log).containsExactly("A 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");
    assertThat(get().times().nextRun()).isEqualTo("2026-01-08T00:00:01Z");
  }

  @Test
  void aNextRunByOtherRulesOfItsZoneIsThatOfItsSlot() {
    Schedule monthly = Schedule.of(Frequency.MONTHLY).zone(ZoneId.of("Africa/Cairo"));
    Instant anHourLater = Instant.parse("2026-01-31T23:00:01Z");
    Instant slot = Instant.parse("2026-01-31T22:00:01Z");
    sequences()
        .importSequence(sequence(monthly, "A"), new ImportedState(anHourLater, LAST, false, null));
    assertThat(sequences().upcoming(10)).extracting(UpcomingRun::at).containsExactly(slot);

    advanceTo("2026-01-31T23:00:00Z");
    sequences().update(sequence(monthly.overlap(OverlapPolicy.SKIP), "A"), null);
    assertThat(get().times().nextRun()).isEqualTo(slot);
    engine.advance(DAY);

    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(stored -> stored.slotRecord().slot() + " " + stored.slotRecord().outcome())
        .containsExactly(slot + " " + SlotOutcome.FIRED);
    assertThat(get().times().nextRun()).isEqualTo("2026-02-28T22:00:01Z");
  }

  @Test
  void anIdIsTakenOnce() {
    importSequence(OWED, false, false);
    assertThatThrownBy(() -> importSequence(OWED, false, false))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("'" + ID + "' already");
  }
}
