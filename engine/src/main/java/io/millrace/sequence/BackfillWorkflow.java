package io.millrace.sequence;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.extension.EngineServices;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.schedule.SlotPage;
import io.millrace.sequence.Backfill.Entry;
import io.millrace.sequence.Backfill.Outcome;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workflow that runs past slots which have not run. It is an instance of its own, so that it goes
 * on after a crash, and can be shown and cancelled like any other.
 */
final class BackfillWorkflow {

  /** The type of the instances that run slots. */
  static final String TYPE = "millrace-backfill";

  private static final String RUN = "run";
  private static final String END = "end";
  private static final String DONE = "done";
  private static final String WAITS = "waits";
  private static final Duration MAX_WAIT = Duration.ofHours(1);
  private static final int MAX_DOUBLINGS = 12;
  private static final int PAGE = 1_000;

  private final SequenceStore store;
  private final SequenceMapper mapper;
  private final FirePlanner firePlanner;
  private final EngineServices services;

  BackfillWorkflow(
      SequenceStore store,
      SequenceMapper mapper,
      FirePlanner firePlanner,
      EngineServices services) {
    this.store = store;
    this.mapper = mapper;
    this.firePlanner = firePlanner;
    this.services = services;
  }

  /**
   * The input of a backfill's instance.
   *
   * @param pieces the slots at the time of the request, whatever becomes of the schedule
   * @param why the requester and the reason
   * @param added when the sequence was added; null if unknown
   */
  record Input(String sequenceId, List<StoredSlot> pieces, String why, @Nullable Instant added) {}

  /** A slot with its data window. */
  record StoredSlot(Instant at, Instant from, Instant to) {
    static StoredSlot of(Slot slot) {
      return new StoredSlot(slot.at(), slot.window().from(), slot.window().to());
    }

    Slot slot() {
      return new Slot(at, new DataWindow(from, to), null);
    }
  }

  /** Returns the definition of the instances, which every node that runs sequences has. */
  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .description("Runs slots of the past, one after another")
        .input(Input.class)
        .start(RUN, this::startNext)
        .end(END)
        .permit(RUN, RUN, END)
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(1), MAX_WAIT).maxAttempts(Integer.MAX_VALUE))
        .build();
  }

  Backfill plan(StoredSequence sequence, Instant from, Instant to) {
    Instant now = services.runtime().clock().instant();
    Task.require(!to.isAfter(now), "end of the time to run again", to, "at most now, " + now);
    Task.require(from.isBefore(to), "begin of the time to run again", from, "one before " + to);
    Schedule schedule = mapper.schedule(sequence);
    SlotPage found = schedule.between(from, to, Backfill.MAX_SLOTS);
    Map<Instant, Long> executions = executions(schedule, sequence.sequenceId(), from, to);
    List<Entry> entries = new ArrayList<>();
    for (Slot slot : found.slots()) {
      Long executionId = executions.get(slot.at());
      entries.add(
          executionId != null
              ? new Entry(slot, Outcome.HAS_RUN, executionId)
              : new Entry(slot, slot.isExcluded() ? Outcome.EXCLUDED : Outcome.TO_RUN, null));
    }
    return new Backfill(entries, found.more(), null);
  }

  /** Returns the newest execution of each slot that has one for its present data window. */
  private Map<Instant, Long> executions(
      Schedule schedule, String sequenceId, Instant from, Instant to) {
    Map<Instant, Long> executions = new HashMap<>();
    SlotRecordCursor before = SlotRecordCursor.before(to);
    List<StoredSlotRecord> page;
    do {
      page = store.slotRecords(sequenceId, before, PAGE);
      for (StoredSlotRecord stored : page) {
        Instant slot = stored.slotRecord().slot();
        if (stored.executionId() != null
            && ScheduleChange.isSlot(schedule, slot, stored.slotRecord().window())) {
          executions.putIfAbsent(slot, stored.executionId());
        }
      }
      before = page.isEmpty() ? before : SlotRecordCursor.of(page.getLast());
    } while (page.size() == PAGE && !before.slot().isBefore(from));
    return executions;
  }

  /** Starts the instance that runs the slots of a plan. */
  Backfill start(StoredSequence sequence, Backfill plan, OperatorAction action) {
    List<StoredSlot> pieces = plan.toRun().stream().map(StoredSlot::of).toList();
    if (pieces.isEmpty()) {
      return plan;
    }
    Instant added = store.added(sequence.sequenceId()).orElse(null);
    Input input = new Input(sequence.sequenceId(), pieces, action.summary(), added);
    long id =
        services
            .start(
                StartRequest.of(TYPE, input).businessKey(sequence.sequenceId()),
                sequence.executorGroup())
            .id();
    return new Backfill(plan.slots(), plan.truncated(), id);
  }

  private Next startNext(StateContext ctx) {
    Input input = ctx.input(Input.class);
    int done = ctx.find(DONE, Integer.class).orElse(0);
    if (done == input.pieces().size()) {
      return Next.moveTo(END, "All " + done + " slots have their executions");
    }
    Optional<StoredSequence> found = store.find(input.sequenceId());
    if (found.isEmpty()) {
      return Next.fail(
          "Sequence '" + input.sequenceId() + "' is gone after " + done + " slots were run");
    }
    // Read after the sequence, so that it never belongs to an earlier sequence of this id.
    Optional<Instant> added = store.added(input.sequenceId());
    if (input.added() != null && !Optional.of(input.added()).equals(added)) {
      return Next.fail(
          "Sequence '"
              + input.sequenceId()
              + "' was removed after "
              + done
              + " slots were run, and another one was added under its id. Ask for a backfill of that"
              + " one, if it needs the others.");
    }
    StoredSequence sequence = found.get();
    String waiting = waiting(sequence);
    return waiting == null
        ? startSlot(ctx, sequence, input, done)
        : wait(
            ctx,
            input,
            done,
            "Waiting with " + (input.pieces().size() - done) + " slots: " + waiting);
  }

  /** Returns why no execution can start now, or null if one can. */
  private static @Nullable String waiting(StoredSequence sequence) {
    if (FirePlanner.isRunning(sequence)) {
      return "an execution of the sequence runs";
    }
    if (sequence.definitionVersion() == null) {
      return "the sequence was stored without its definition, and gets it when it is run";
    }
    if (sequence.flags().pausedBy() != null) {
      return "the sequence is paused by " + sequence.flags().pausedBy();
    }
    SequenceStatus status = SequenceStatus.of(sequence);
    return switch (status) {
      case ABORTED -> "the sequence is ABORTED; restart it, or resume its failed task";
      case RESTART -> "the sequence is to be restarted first";
      default -> null;
    };
  }

  /**
   * Starts the execution of the next slot as a fire of its own, so that a repetition finds the
   * execution of the first try.
   */
  private Next startSlot(StateContext ctx, StoredSequence sequence, Input input, int done) {
    Slot slot = input.pieces().get(done).slot();
    return switch (store.writeFire(firePlanner.planBackfill(sequence, slot, input.why()))) {
      case FireResult.Written written -> {
        services.poll();
        yield next(ctx, input, done, slot.at() + " is run by execution " + written.executionId());
      }
      case FireResult.Duplicate duplicate ->
          next(ctx, input, done, slot.at() + " was run by execution " + duplicate.executionId());
      case FireResult.Stale stale ->
          wait(ctx, input, done, "The sequence was changed at this moment");
      case FireResult.Missing missing ->
          wait(ctx, input, done, "The sequence was removed at this moment");
    };
  }

  private static Next next(StateContext ctx, Input input, int done, String reason) {
    ctx.set(DONE, done + 1);
    ctx.progress(done + 1, input.pieces().size(), null);
    ctx.set(WAITS, 0);
    return Next.moveAfter(RUN, Duration.ofSeconds(1), reason);
  }

  /** Waits with increasing delays, since each is written into the history. */
  private static Next wait(StateContext ctx, Input input, int done, String reason) {
    ctx.progress(done, input.pieces().size(), null);
    int waits = ctx.find(WAITS, Integer.class).orElse(0);
    ctx.set(WAITS, waits + 1);
    Duration wait = Duration.ofSeconds(1L << Math.min(waits, MAX_DOUBLINGS));
    return Next.moveAfter(RUN, wait.compareTo(MAX_WAIT) < 0 ? wait : MAX_WAIT, reason);
  }
}
