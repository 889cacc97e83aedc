package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.UpcomingRun;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of sequences whose next run was computed before the rules of its time zone changed. Cairo
 * is two hours east of UTC.
 */
class ZoneRulesChangeTest extends SequenceFixture {

  private static final Schedule OFFICE =
      Schedule.cron("0 0 8,10,17 * * ?").zone(ZoneId.of("Africa/Cairo"));

  private Store store;

  @BeforeEach
  void start() {
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          store = new MemoryStore(clock);
          return store;
        },
        builder -> builder.task(Task.of("A", TYPE), logging("A")));
  }

  /** Stores the next run as if the zone had had that offset when it was computed. */
  private void planned(String nextRun, ZoneOffset offset) {
    StoredSequence row = store.role(SequenceStore.class).find(ID).orElseThrow();
    Instant at = Instant.parse(nextRun);
    store
        .role(SequenceStore.class)
        .update(
            new StoredSequence(
                row.sequenceId(),
                row.type(),
                row.spec(),
                row.flags(),
                new SequenceTimes(at, offset, at, null),
                null,
                row.revision()));
  }

  private List<String> fires() {
    return sequences().slotRecords(ID, null, 10).reversed().stream()
        .map(stored -> stored.slotRecord().slot() + " " + stored.slotRecord().outcome())
        .toList();
  }

  @Test
  void theSlotOfTheSameLocalTimeIsNotLost() {
    sequences().add(sequence(OFFICE, "A"));
    planned("2026-01-06T08:00:00Z", ZoneOffset.UTC);
    assertThat(sequences().upcoming(1))
        .extracting(UpcomingRun::at)
        .containsExactly(Instant.parse("2026-01-06T06:00:00Z"));

    advanceTo("2026-01-06T09:00:00Z");

    assertThat(fires())
        .containsExactly("2026-01-06T06:00:00Z MISSED", "2026-01-06T08:00:00Z FIRED");
    assertThat(get().times().planned())
        .hasToString("PlannedSlot[at=2026-01-06T15:00:00Z, offset=+02:00]");
  }

  @Test
  void aLocalTimeDoesNotRunTwice() {
    sequences().add(sequence(OFFICE, "A"));
    planned("2026-01-06T06:00:00Z", ZoneOffset.ofHours(4));

    advanceTo("2026-01-06T09:00:00Z");

    assertThat(fires())
        .containsExactly("2026-01-06T06:00:00Z SKIPPED", "2026-01-06T08:00:00Z FIRED");
    assertThat(sequences().slotRecords(ID, null, 10).getLast().slotRecord().reason())
        .isEqualTo("its local time had passed when the rules of time zone Africa/Cairo changed");
  }

  @Test
  void aChangeOfTheScheduleKeepsTheLocalTime() {
    sequences().add(sequence(OFFICE, "A"));
    planned("2026-01-06T08:00:00Z", ZoneOffset.UTC);

    sequences().update(sequence(OFFICE.overlap(OverlapPolicy.SKIP), "A"), null);

    assertThat(get().times().planned())
        .hasToString("PlannedSlot[at=2026-01-06T06:00:00Z, offset=+02:00]");
  }

  @Test
  void aRequestedRunKeepsTheOffsetOfTheNextRun() {
    sequences().add(sequence(OFFICE, "A"));
    planned("2026-01-06T08:00:00Z", ZoneOffset.UTC);

    sequences().pause(ID, BY_ANN);
    sequences().resumeSchedule(ID);
    sequences().requestRun(ID, BY_ANN);
    engine.runUntilIdle();

    assertThat(get().times().nextRunOffset()).isEqualTo(ZoneOffset.UTC);
    assertThat(log).hasSize(1);
  }
}
