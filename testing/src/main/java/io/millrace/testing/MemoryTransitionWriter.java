package io.millrace.testing;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.ExistingChildRules;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes transitions under their fences. */
final class MemoryTransitionWriter {

  private final MemoryTables tables;

  MemoryTransitionWriter(MemoryTables tables) {
    this.tables = tables;
  }

  SaveResult save(SaveRequest save, Instant now) {
    Fence fence = save.fence();
    MemoryInstance row = tables.rows.get(fence.instanceId());
    if (row == null) {
      return new SaveResult.Fenced();
    }
    if (!row.heldUnder(fence)) {
      return readBack(row, save);
    }
    return write(row, ExistingChildRules.noted(save, knownChildren(save)), now);
  }

  private SaveResult write(MemoryInstance row, SaveRequest save, Instant now) {
    InstanceStatus before = row.status;
    move(row, save, now);
    attach(row, save.changes(), now);
    save.attached().forEach(write -> tables.hooks.write(row, write, now));
    if (row.status.isTerminal()) {
      end(row, save.target().awaited(), now);
      tables.tellParent(save.changes().parentId(), before, row.status, now);
    } else if (!save.target().keepLease()) {
      release(row, save, now);
    }
    tables.changed(row, now);
    return new SaveResult.Saved(row.unconsumedMessages.size(), row.executorId != null);
  }

  /** Finds the children that exist; fails before anything is written if one has another payload. */
  private List<ExistingChildRules.ExistingChild> knownChildren(SaveRequest save) {
    List<ExistingChildRules.ExistingChild> known = new ArrayList<>();
    Map<String, NewInstance> before = new HashMap<>();
    for (NewInstance child : save.changes().children()) {
      MemoryInstance row = tables.find(child.origin());
      String externalId = child.origin().externalId();
      if (row != null) {
        if (!child.samePayload(row.payloadHash)) {
          throw ExistingChildRules.conflict(child, row.id);
        }
        known.add(new ExistingChildRules.ExistingChild(externalId, row.id, row.origin.parentId()));
      } else if (externalId != null) {
        NewInstance twin = before.putIfAbsent(child.origin().type() + " " + externalId, child);
        if (twin != null && !child.samePayload(twin.payloadHash())) {
          throw ExistingChildRules.conflict(child, 0);
        }
      }
    }
    return known;
  }

  /**
   * Returns the result of a write whose reply was lost, or of one that came too late or had other
   * contents.
   */
  private static SaveResult readBack(MemoryInstance row, SaveRequest save) {
    Fence fence = save.fence();
    if (row.seq <= fence.seq()) {
      return new SaveResult.Fenced();
    }
    HistoryEntry next = row.actions.get(fence.seq());
    boolean own =
        next.type() == save.entry().type()
            && next.move().to().equals(save.target().state())
            && Long.valueOf(fence.executorId()).equals(next.author().executorId())
            && next.author().leaseVersion() == fence.leaseVersion();
    return own
        ? new SaveResult.Saved(row.unconsumedMessages.size(), row.heldUnder(fence.advanced()))
        : new SaveResult.Fenced();
  }

  private static void move(MemoryInstance row, SaveRequest save, Instant now) {
    SaveRequest.Entry entry = save.entry();
    SaveRequest.Target target = save.target();
    row.state = target.state();
    row.status = target.status();
    row.reason = MemoryColumnTexts.reason(entry.reason());
    row.attempt = target.attempt();
    row.recoveries = 0;
    row.waitingFor = target.waitingFor();
    row.waitUntil = target.waitingFor() == null ? null : MemoryColumnTimes.of(target.due(), now);
    row.write(
        entry.type(),
        entry.from(),
        new HistoryEntry.Outcome(
            row.reason,
            MemoryColumnTexts.error(entry.error()),
            MemoryColumnTexts.object(save.changes().variables())),
        new HistoryEntry.Author(
            save.fence().executorId(), row.leaseVersion, entry.attempt(), entry.actor()),
        new HistoryEntry.Span(MemoryColumnTimes.truncated(now.minus(entry.took())), now));
    if (target.newVisit()) {
      row.enteredSeq = row.seq;
      row.entered = now;
    }
  }

  private void attach(MemoryInstance row, SaveRequest.Changes changes, Instant now) {
    row.change(changes.variables());
    row.variableCount = changes.variableCount();
    for (NewInstance child : changes.children()) {
      if (tables.start(child, now) instanceof StartResult.Created) {
        row.childrenTotal++;
        row.childrenOpen++;
      }
    }
    changes.consumed().forEach(row::consume);
    row.failure = changes.failure();
    if (changes.progress() != null) {
      row.progress = changes.progress();
    }
  }

  private static void release(MemoryInstance row, SaveRequest save, Instant now) {
    boolean due = row.wakeAt != null || row.waitIsOver();
    Instant planned = MemoryColumnTimes.of(save.target().due(), now);
    row.nextActivation = due ? now : planned;
    if (row.wakeAt != null) {
      row.waitUntil = planned;
    }
    row.executorId = null;
    row.wakeAt = null;
  }

  static void end(MemoryInstance row, @Nullable String awaited, Instant now) {
    row.ended = now;
    row.nextActivation = null;
    row.waitingFor = awaited;
    row.waitUntil = null;
    row.executorId = null;
    row.wakeAt = null;
  }
}
