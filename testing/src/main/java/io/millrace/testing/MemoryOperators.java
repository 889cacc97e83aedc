package io.millrace.testing;

import io.millrace.instance.Action;
import io.millrace.instance.Deed;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AuditTrail;
import io.millrace.store.DeedCommand;
import io.millrace.store.DeedRules;
import io.millrace.store.OperatorStore;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deeds and signals in memory. */
final class MemoryOperators implements OperatorStore {

  private final MemoryTables tables;
  private final MemoryAudit audit;

  MemoryOperators(MemoryTables tables, MemoryAudit audit) {
    this.tables = tables;
    this.audit = audit;
  }

  @Override
  public DeedResult apply(long instanceId, DeedCommand command, Deed deed) {
    return tables.transaction(now -> {
      MemoryRow row = tables.rows.get(instanceId);
      if (row == null) {
        return new DeedResult.NotFound();
      }
      WorkflowInstance before = row.snapshot();
      return switch (DeedRules.plan(before, command)) {
        case DeedRules.Plan.Apply apply -> {
          DeedResult result = apply(row, apply, command, deed, now);
          audit.add(AuditTrail.of(before, command, deed, false), row.seq, now);
          yield result;
        }
        case DeedRules.Plan.Enqueue enqueue -> {
          audit.add(AuditTrail.of(before, command, deed, true), null, now);
          yield enqueue(row, enqueue.kind(), deed, now);
        }
        case DeedRules.Plan.Refuse refuse -> new DeedResult.Refused(refuse.message());
      };
    });
  }

  private DeedResult apply(
      MemoryRow row, DeedRules.Plan.Apply plan, DeedCommand command, Deed deed, Instant now) {
    Long takenFrom = row.executorId;
    if (takenFrom != null) {
      row.executorId = null;
      row.leaseVersion++;
      row.wakeAt = null;
    }
    InstanceStatus statusBefore = row.status;
    String stateBefore = row.state;
    row.state = plan.state();
    row.status = plan.status();
    if (plan.fresh()) {
      row.attempt = 0;
      row.recoveries = 0;
    }
    Map<String, @Nullable String> edited = Map.of();
    if (command instanceof DeedCommand.EditVariables edit) {
      edited = edit.variables();
      row.change(edited);
      row.variableCount = row.variables.size();
    } else {
      row.reason = deed.reason();
      row.failure = null;
    }
    row.write(
        command.type(),
        stateBefore,
        new Action.Outcome(deed.reason(), null, MemoryText.object(edited)),
        new Action.Author(null, row.leaseVersion, 0, deed.actor()),
        new Action.Span(now, now));
    if (plan.entering()) {
      row.enteredSeq = row.seq;
      row.entered = now;
    }
    schedule(row, plan, command, now);
    tables.tellParent(row.origin.parentId(), statusBefore, row.status, now);
    if (DeedRules.isGivenUp(statusBefore) && !row.status.isTerminal()) {
      tables.sequences.goesOn(row.id, DeedRules.isGivenUp(row.status));
    }
    tables.changed(row, now);
    return new DeedResult.Applied(row.seq, row.isDue(now), takenFrom);
  }

  private static void schedule(
      MemoryRow row, DeedRules.Plan.Apply plan, DeedCommand command, Instant now) {
    if (row.status.isTerminal()) {
      MemorySaves.end(row, plan.awaited(), now);
      return;
    }
    row.ended = null;
    row.waitingFor = plan.waitingFor();
    if (plan.due() != null) {
      row.nextActivation = MemoryTimes.of(plan.due(), now);
    }
    if (plan.waitingFor() == null) {
      row.waitUntil = plan.due() == null ? row.waitUntil : null;
    } else if (command instanceof DeedCommand.Move move) {
      row.waitUntil = MemoryTimes.of(move.due(), now);
      if (row.waitIsOver()) {
        row.nextActivation = now;
      }
    }
  }

  private DeedResult enqueue(MemoryRow row, Signal.Kind kind, Deed deed, Instant now) {
    Signal.Sent sent = new Signal.Sent(now, deed.actor(), deed.reason());
    row.receive(new Signal(tables.nextId(), row.id, kind, kind.code(), null, sent, null));
    if (row.executorId != null) {
      row.wakeAt = now;
    }
    tables.changed(row, now);
    return new DeedResult.Queued();
  }

  @Override
  public SignalResult signal(SignalRequest request) {
    return tables.transaction(now -> {
      MemoryRow row = tables.rows.get(request.instanceId());
      if (row == null) {
        return SignalResult.NOT_FOUND;
      }
      if (request.key() != null && row.signalKeys.contains(request.key())) {
        return SignalResult.DUPLICATE;
      }
      if (row.status.isTerminal()) {
        return SignalResult.ENDED;
      }
      if (request.key() != null) {
        row.signalKeys.add(request.key());
      }
      if (request.actor() != null) {
        audit.add(AuditTrail.of(row.snapshot(), request, request.actor()), null, now);
      }
      return receive(row, request, now);
    });
  }

  private SignalResult receive(MemoryRow row, SignalRequest request, Instant now) {
    Signal.Sent sent = new Signal.Sent(now, request.actor(), null);
    row.receive(
        new Signal(
            tables.nextId(),
            row.id,
            Signal.Kind.SIGNAL,
            request.name(),
            request.payload(),
            sent,
            null));
    boolean woken =
        row.executorId == null && Position.signal(request.name()).equals(row.waitingFor);
    if (woken) {
      row.nextActivation = now;
    }
    tables.changed(row, now);
    return woken ? SignalResult.WOKEN : SignalResult.QUEUED;
  }
}
