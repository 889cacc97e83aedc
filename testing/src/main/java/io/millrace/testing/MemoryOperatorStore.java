package io.millrace.testing;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AuditEntryFactory;
import io.millrace.store.InboxRules;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorCommandRules;
import io.millrace.store.OperatorStore;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Actions and signals in memory. */
final class MemoryOperatorStore implements OperatorStore {

  private final MemoryTables tables;
  private final MemoryAuditStore audit;

  MemoryOperatorStore(MemoryTables tables, MemoryAuditStore audit) {
    this.tables = tables;
    this.audit = audit;
  }

  @Override
  public CommandResult apply(long instanceId, OperatorCommand command, OperatorAction action) {
    return tables.transaction(now -> {
      MemoryInstance row = tables.rows.get(instanceId);
      if (row == null) {
        return new CommandResult.NotFound();
      }
      WorkflowInstance before = row.snapshot();
      return switch (OperatorCommandRules.effectOf(before, command)) {
        case OperatorCommandRules.Effect.Apply apply -> {
          long excess =
              command instanceof OperatorCommand.EditVariables edit ? excess(row, edit) : 0;
          if (excess > 0) {
            yield new CommandResult.TooLarge(excess);
          }
          CommandResult result = apply(row, apply, command, action, now);
          audit.add(AuditEntryFactory.of(before, command, action, false), row.seq, now);
          yield result;
        }
        case OperatorCommandRules.Effect.Enqueue enqueue -> {
          audit.add(AuditEntryFactory.of(before, command, action, true), null, now);
          yield enqueue(row, enqueue.kind(), action, now);
        }
        case OperatorCommandRules.Effect.Refuse refuse ->
            new CommandResult.Refused(refuse.message(), refuse.inOtherState());
      };
    });
  }

  private static long excess(MemoryInstance row, OperatorCommand.EditVariables edit) {
    long before = 0;
    long kept = 0;
    for (Map.Entry<String, String> variable : row.variables.entrySet()) {
      long bytes = InboxRules.bytes(variable.getValue());
      before += bytes;
      kept += edit.variables().containsKey(variable.getKey()) ? 0 : bytes;
    }
    return edit.excess(before, kept);
  }

  private CommandResult apply(
      MemoryInstance row,
      OperatorCommandRules.Effect.Apply plan,
      OperatorCommand command,
      OperatorAction action,
      Instant now) {
    String reason =
        MemoryColumnTexts.reason(OperatorCommandRules.reason(row.snapshot(), command, action));
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
    if (command instanceof OperatorCommand.EditVariables edit) {
      edited = edit.variables();
      row.change(edited);
      row.variableCount = row.variables.size();
    } else {
      row.reason = reason;
      row.failure = null;
    }
    row.write(
        command.type(),
        stateBefore,
        new HistoryEntry.Outcome(reason, null, MemoryColumnTexts.object(edited)),
        new HistoryEntry.Author(null, row.leaseVersion, 0, action.actor()),
        new HistoryEntry.Span(now, now));
    if (plan.newVisit()) {
      row.enteredSeq = row.seq;
      row.entered = now;
    }
    schedule(row, plan, command, now);
    tables.tellParent(row.origin.parentId(), statusBefore, row.status, now);
    if (OperatorCommandRules.isGivenUp(statusBefore) && !row.status.isTerminal()) {
      tables.hooks.reopened(row.id, OperatorCommandRules.isGivenUp(row.status), now);
    }
    tables.changed(row, now);
    return new CommandResult.Applied(row.seq, row.isDue(now), takenFrom);
  }

  private static void schedule(
      MemoryInstance row,
      OperatorCommandRules.Effect.Apply plan,
      OperatorCommand command,
      Instant now) {
    if (row.status.isTerminal()) {
      MemoryTransitionWriter.end(row, plan.awaited(), now);
      return;
    }
    row.ended = null;
    row.waitingFor = plan.waitingFor();
    if (plan.due() != null) {
      row.nextActivation = MemoryColumnTimes.of(plan.due(), now);
    }
    if (plan.waitingFor() == null) {
      row.waitUntil = plan.due() == null ? row.waitUntil : null;
    } else if (command instanceof OperatorCommand.Move move) {
      row.waitUntil = MemoryColumnTimes.of(move.due(), now);
      if (row.waitIsOver()) {
        row.nextActivation = now;
      }
    }
  }

  private CommandResult enqueue(
      MemoryInstance row, InboxMessage.Kind kind, OperatorAction action, Instant now) {
    if (row.unconsumedMessages.values().stream().filter(m -> m.kind() == kind).count()
        < InboxRules.MAX_REQUESTS) {
      InboxMessage.Sent sent = new InboxMessage.Sent(now, action.actor(), action.reason());
      row.receive(new InboxMessage(tables.nextId(), row.id, kind, kind.code(), null, sent, null));
    }
    if (row.executorId != null) {
      row.wakeAt = now;
    }
    tables.changed(row, now);
    return new CommandResult.AfterAttempt();
  }

  @Override
  public SignalResult signal(SignalRequest request) {
    return tables.transaction(now -> {
      MemoryInstance row = tables.rows.get(request.instanceId());
      if (row == null) {
        return SignalResult.NOT_FOUND;
      }
      if (request.key() != null && row.signalKeys.contains(request.key())) {
        return SignalResult.DUPLICATE;
      }
      if (row.status.isTerminal()) {
        return SignalResult.ENDED;
      }
      if (row.unconsumedMessages.size() >= InboxRules.ALWAYS_ALLOWED
          && InboxRules.refuses(request, row.waitingFor, unconsumed(row, request.name()))) {
        return SignalResult.FULL;
      }
      if (request.key() != null) {
        row.signalKeys.add(request.key());
      }
      if (request.actor() != null) {
        audit.add(AuditEntryFactory.of(row.snapshot(), request, request.actor()), null, now);
      }
      return receive(row, request, now);
    });
  }

  private static InboxRules.Unconsumed unconsumed(MemoryInstance row, String name) {
    return new InboxRules.Unconsumed(
        row.unconsumedMessages.size(),
        row.inboxBytes(),
        row.unconsumedMessages.values().stream()
            .anyMatch(m -> m.kind() == InboxMessage.Kind.SIGNAL && m.name().equals(name)));
  }

  private SignalResult receive(MemoryInstance row, SignalRequest request, Instant now) {
    InboxMessage.Sent sent = new InboxMessage.Sent(now, request.actor(), null);
    row.receive(
        new InboxMessage(
            tables.nextId(),
            row.id,
            InboxMessage.Kind.SIGNAL,
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
    return woken ? SignalResult.WOKEN : SignalResult.IN_INBOX;
  }
}
