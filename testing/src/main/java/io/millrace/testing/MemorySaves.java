package io.millrace.testing;

import io.millrace.instance.Action;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.Attached;
import io.millrace.store.Fence;
import io.millrace.store.KnownChildren;
import io.millrace.store.NewInstance;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes transitions under their fences. */
final class MemorySaves {

  private final MemoryTables tables;

  MemorySaves(MemoryTables tables) {
    this.tables = tables;
  }

  SaveResult save(Save save, Instant now) {
    Fence fence = save.fence();
    MemoryRow row = tables.rows.get(fence.instanceId());
    if (row == null) {
      return new SaveResult.Fenced();
    }
    if (!row.heldUnder(fence)) {
      return readBack(row, save);
    }
    return write(row, KnownChildren.noted(save, knownChildren(save)), now);
  }

  private SaveResult write(MemoryRow row, Save save, Instant now) {
    InstanceStatus before = row.status;
    move(row, save, now);
    attach(row, save.changes(), now);
    if (save.handover() != null) {
      tables.outbox.add(row, save.handover(), now);
    }
    Attached attached = save.attached();
    if (attached != null) {
      attached.values().forEach(put -> tables.keyValues.write(put, now));
      attached.commits().forEach(commit -> tables.reductions.write(commit, now));
    }
    if (row.status.isTerminal()) {
      end(row, save.target().awaited(), now);
      tables.tellParent(save.changes().parentId(), before, row.status, now);
    } else if (!save.target().keepLease()) {
      giveBack(row, save, now);
    }
    tables.changed(row, now);
    return new SaveResult.Saved(row.inbox.size(), row.executorId != null);
  }

  /** Finds the children that exist; fails before anything is written if one has another payload. */
  private List<KnownChildren.Known> knownChildren(Save save) {
    List<KnownChildren.Known> known = new ArrayList<>();
    Map<String, NewInstance> before = new HashMap<>();
    for (NewInstance child : save.changes().children()) {
      MemoryRow row = tables.find(child.origin());
      String externalId = child.origin().externalId();
      if (row != null) {
        if (!child.samePayload(row.payloadHash)) {
          throw KnownChildren.conflict(child, row.id);
        }
        known.add(new KnownChildren.Known(externalId, row.id, row.origin.parentId()));
      } else if (externalId != null) {
        NewInstance twin = before.putIfAbsent(child.origin().type() + " " + externalId, child);
        if (twin != null && !child.samePayload(twin.payloadHash())) {
          throw KnownChildren.conflict(child, 0);
        }
      }
    }
    return known;
  }

  /** Tells a write whose reply was lost from one that came too late, or wanted something else. */
  private static SaveResult readBack(MemoryRow row, Save save) {
    Fence fence = save.fence();
    if (row.seq <= fence.seq()) {
      return new SaveResult.Fenced();
    }
    Action next = row.actions.get(fence.seq());
    boolean own =
        next.type() == save.entry().type()
            && next.move().to().equals(save.target().state())
            && Long.valueOf(fence.executorId()).equals(next.author().executorId())
            && next.author().leaseVersion() == fence.leaseVersion();
    return own
        ? new SaveResult.Saved(row.inbox.size(), row.heldUnder(fence.advanced()))
        : new SaveResult.Fenced();
  }

  private static void move(MemoryRow row, Save save, Instant now) {
    Save.Entry entry = save.entry();
    Save.Target target = save.target();
    row.state = target.state();
    row.status = target.status();
    row.reason = MemoryText.reason(entry.reason());
    row.attempt = target.attempt();
    row.recoveries = 0;
    row.waitingFor = target.waitingFor();
    row.waitUntil = target.waitingFor() == null ? null : MemoryTimes.of(target.due(), now);
    row.write(
        entry.type(),
        entry.from(),
        new Action.Outcome(
            row.reason,
            MemoryText.error(entry.error()),
            MemoryText.object(save.changes().variables())),
        new Action.Author(
            save.fence().executorId(), row.leaseVersion, entry.attempt(), entry.actor()),
        new Action.Span(MemoryTimes.truncated(now.minus(entry.took())), now));
    if (target.entering()) {
      row.enteredSeq = row.seq;
      row.entered = now;
    }
  }

  private void attach(MemoryRow row, Save.Changes changes, Instant now) {
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

  private static void giveBack(MemoryRow row, Save save, Instant now) {
    boolean due = row.wakeAt != null || row.waitIsOver();
    Instant planned = MemoryTimes.of(save.target().due(), now);
    row.nextActivation = due ? now : planned;
    if (row.wakeAt != null) {
      row.waitUntil = planned;
    }
    row.executorId = null;
    row.wakeAt = null;
  }

  static void end(MemoryRow row, @Nullable String awaited, Instant now) {
    row.ended = now;
    row.nextActivation = null;
    row.waitingFor = awaited;
    row.waitUntil = null;
    row.executorId = null;
    row.wakeAt = null;
  }
}
