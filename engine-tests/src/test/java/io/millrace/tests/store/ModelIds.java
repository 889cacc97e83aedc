package io.millrace.tests.store;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorStore.CommandResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers of instances and executors, which replace the ids in a store's answers. */
final class ModelIds {

  private final List<Long> instances = new ArrayList<>();
  private final List<Long> executors = new ArrayList<>();
  private final Map<Long, Integer> instanceNumbers = new HashMap<>();
  private final Map<Long, Integer> executorNumbers = new HashMap<>();

  int instances() {
    return instances.size();
  }

  int executors() {
    return executors.size();
  }

  long instanceId(int number) {
    return instances.get(number);
  }

  long executorId(int number) {
    return executors.get(number);
  }

  /** Returns the number of an instance, and assigns one if it is unknown. */
  int instance(long id) {
    return instanceNumbers.computeIfAbsent(
        id,
        i -> {
          instances.add(i);
          return instances.size() - 1;
        });
  }

  /** Returns the number of an executor, and assigns one if it is unknown. */
  int executor(long id) {
    return executorNumbers.computeIfAbsent(
        id,
        i -> {
          executors.add(i);
          return executors.size() - 1;
        });
  }

  WorkflowInstance normal(WorkflowInstance i) {
    Origin o = i.origin();
    Position p = i.position();
    Lease l = i.lease();
    return new WorkflowInstance(
        instance(i.id()),
        new Origin(
            o.type(),
            o.version(),
            o.executorGroup(),
            o.priority(),
            o.businessKey(),
            o.externalId(),
            o.parentId() == null ? null : (long) instance(o.parentId())),
        new Position(
            p.state(),
            p.status(),
            normal(p.reason()),
            p.enteredSeq(),
            p.nextActivation(),
            p.waitingFor(),
            p.waitUntil()),
        new Lease(holder(l.executorId()), l.leaseVersion(), l.seq(), l.attempt(), l.recoveries()),
        i.timing(),
        i.children(),
        i.details());
  }

  /**
   * Returns a reason without ids; the engine's own reasons contain ids, which differ between
   * stores.
   */
  private static String normal(String reason) {
    return reason == null || reason.startsWith("went to") || reason.startsWith("action")
        ? reason
        : "recovered";
  }

  HistoryEntry normal(HistoryEntry a) {
    HistoryEntry.Author author = a.author();
    return new HistoryEntry(
        instance(a.instanceId()),
        a.seq(),
        a.type(),
        a.move(),
        new HistoryEntry.Outcome(
            normal(a.outcome().reason()),
            a.outcome().error(),
            a.outcome().variables(),
            a.outcome().consumed()),
        new HistoryEntry.Author(
            holder(author.executorId()), author.leaseVersion(), author.attempt(), author.actor()),
        a.span());
  }

  InboxMessage normal(InboxMessage s) {
    String name = s.kind() == InboxMessage.Kind.SIGNAL ? s.name() : "";
    return new InboxMessage(
        0, instance(s.instanceId()), s.kind(), name, s.payload(), s.sent(), s.consumedSeq());
  }

  ExecutorInfo normal(ExecutorInfo e) {
    return new ExecutorInfo(
        executor(e.id()), e.identity(), e.timestamps(), e.load(), e.readiness(), e.drain());
  }

  Object normal(CommandResult result) {
    return switch (result) {
      case CommandResult.Applied a ->
          new CommandResult.Applied(a.seq(), a.due(), holder(a.previousExecutorId()));
      case CommandResult.Refused r -> "refused";
      case CommandResult.AfterAttempt q -> q;
      case CommandResult.TooLarge t -> t;
      case CommandResult.NotFound n -> n;
    };
  }

  private Long holder(Long id) {
    return id == null ? null : (Long) (long) executor(id);
  }
}
