package io.millrace.tests.store;

import io.millrace.schedule.DataWindow;
import io.millrace.schedule.PlannedSlot;
import io.millrace.store.NewInstance;
import io.millrace.store.SequenceStore.Cancellation;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.SequenceSpec;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.SequenceUpdate;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSequenceTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A sequence with its schedule, with defaults for values that do not matter to a test. */
final class StoredSequenceSpec {

  private final String id;
  private final String type;
  private final List<StoredSequenceTask> sequenceTasks = new ArrayList<>();
  private Flags flags = new Flags(true, true, false, false, null, null);
  private SequenceTimes sequenceTimes = new SequenceTimes(null, null, null);
  private Integer definitionVersion;
  private String group = "group";
  private int revision = 1;

  StoredSequenceSpec(String id, String type) {
    this.id = id;
    this.type = type;
  }

  /** Returns the specification of a stored sequence, to be changed. */
  static StoredSequenceSpec of(StoredSequence stored) {
    StoredSequenceSpec spec = new StoredSequenceSpec(stored.sequenceId(), stored.type());
    spec.sequenceTasks.addAll(stored.sequenceTasks());
    spec.flags = stored.flags();
    spec.sequenceTimes = stored.times();
    spec.definitionVersion = stored.definitionVersion();
    spec.group = stored.executorGroup();
    spec.revision = stored.revision();
    return spec;
  }

  /** Sets the tasks, in order. */
  StoredSequenceSpec tasks(int... ids) {
    sequenceTasks.clear();
    for (int i = 0; i < ids.length; i++) {
      sequenceTasks.add(
          new StoredSequenceTask(i + 1, ids[i], i + 1 < ids.length ? ids[i + 1] : -1, null));
    }
    return this;
  }

  StoredSequenceSpec sequenceTask(StoredSequenceTask sequenceTask) {
    sequenceTasks.add(sequenceTask);
    return this;
  }

  StoredSequenceSpec flags(Flags value) {
    this.flags = value;
    return this;
  }

  StoredSequenceSpec paused(String by, String reason) {
    return flags(
        new Flags(
            flags.recurs(), flags.active(), flags.runRequested(), flags.restart(), by, reason));
  }

  StoredSequenceSpec inactive() {
    return flags(new Flags(flags.recurs(), false, false, false, null, null));
  }

  /** Makes the sequence due at its next slot. */
  StoredSequenceSpec next(Instant slot) {
    return times(slot, slot);
  }

  StoredSequenceSpec times(Instant nextRun, Instant due) {
    this.sequenceTimes = new SequenceTimes(nextRun, due, sequenceTimes.lastEnded());
    return this;
  }

  /** Makes the sequence due at its next slot, which was computed by an offset of its zone. */
  StoredSequenceSpec next(PlannedSlot slot) {
    this.sequenceTimes =
        new SequenceTimes(slot.at(), slot.offset(), slot.at(), sequenceTimes.lastEnded());
    return this;
  }

  StoredSequenceSpec lastEnded(Instant time) {
    this.sequenceTimes =
        new SequenceTimes(
            sequenceTimes.nextRun(), sequenceTimes.nextRunOffset(), sequenceTimes.due(), time);
    return this;
  }

  StoredSequenceSpec definitionVersion(Integer version) {
    this.definitionVersion = version;
    return this;
  }

  StoredSequenceSpec group(String name) {
    this.group = name;
    return this;
  }

  StoredSequenceSpec revision(int value) {
    this.revision = value;
    return this;
  }

  StoredSequence build() {
    return new StoredSequence(
        id,
        type,
        new SequenceSpec(
            sequenceTasks, "DAILY", "{\"zone\":\"UTC\"}", "{\"a\":1}", definitionVersion, group),
        flags,
        sequenceTimes,
        null,
        revision);
  }

  /** Returns a fire of a slot by the schedule, for the hour before the slot. */
  static SlotRecord fired(Instant slot, int fireNumber) {
    return new SlotRecord(
        slot,
        new DataWindow(slot.minusSeconds(3600), slot),
        SlotOutcome.FIRED,
        "schedule",
        fireNumber,
        null,
        1);
  }

  /** Returns a slot that was not fired. */
  static SlotRecord notFired(Instant slot, SlotOutcome slotOutcome, String reason, int count) {
    return new SlotRecord(slot, null, slotOutcome, "schedule", 0, reason, count);
  }

  /** Returns a fire plan of the sequence for its next slot and the one after it. */
  static FireSpec fire(StoredSequence sequence) {
    return new FireSpec(sequence);
  }

  /** A fire plan, with defaults for values that do not matter to a test. */
  static final class FireSpec {
    private final StoredSequence sequence;
    private final List<SlotRecord> slotRecords = new ArrayList<>();
    private SequenceTimes sequenceTimes;
    private boolean runRequested;
    private boolean restart;
    private NewInstance execution;
    private Cancellation cancellation;
    private int revision;

    private FireSpec(StoredSequence sequence) {
      this.sequence = sequence;
      this.sequenceTimes = sequence.times();
      this.revision = sequence.revision();
    }

    FireSpec next(Instant nextRun, Instant due) {
      this.sequenceTimes = new SequenceTimes(nextRun, due, null);
      return this;
    }

    FireSpec next(PlannedSlot slot) {
      this.sequenceTimes = new SequenceTimes(slot.at(), slot.offset(), slot.at(), null);
      return this;
    }

    FireSpec fire(SlotRecord slotRecord) {
      slotRecords.add(slotRecord);
      return this;
    }

    FireSpec flags(boolean requested, boolean runAgain) {
      this.runRequested = requested;
      this.restart = runAgain;
      return this;
    }

    FireSpec revision(int value) {
      this.revision = value;
      return this;
    }

    /** Adds the start of an execution for a slot. */
    FireSpec start(Instant slot, int fireNumber, StartSpec instance) {
      slotRecords.add(fired(slot, fireNumber));
      this.execution =
          instance
              .businessKey(sequence.sequenceId())
              .externalId(sequence.sequenceId() + "@" + slot + "#" + fireNumber)
              .build();
      return this;
    }

    /** Adds the start of an execution for a fire with more details. */
    FireSpec start(SlotRecord slotRecord, StartSpec instance) {
      slotRecords.add(slotRecord);
      return start(
          instance
              .businessKey(sequence.sequenceId())
              .externalId(sequence.sequenceId() + "@" + slotRecord.slot())
              .build());
    }

    FireSpec start(NewInstance instance) {
      this.execution = instance;
      return this;
    }

    FireSpec cancel(long id, String reason) {
      this.cancellation = new Cancellation(id, reason);
      return this;
    }

    FirePlan build() {
      return new FirePlan(
          sequence.sequenceId(),
          revision,
          new SequenceUpdate(sequenceTimes, runRequested, restart, sequence.definitionVersion()),
          slotRecords,
          execution,
          cancellation);
    }
  }
}
