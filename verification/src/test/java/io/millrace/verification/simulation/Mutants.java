package io.millrace.verification.simulation;

import java.util.List;

/** Faults that the protocol must not have; each of them was once a real fault somewhere. */
final class Mutants {

  private static final String STORE = "testing/src/main/java/io/millrace/testing/";
  private static final String CORE = "engine/src/main/java/io/millrace/dispatch/";
  private static final String TRIGGERS = "engine/src/main/java/io/millrace/continuous/";

  private Mutants() {}

  static List<Mutant> all() {
    return List.of(
        store(
                "the fence is the executor alone, without lease version",
                "MemoryInstance",
                "&& leaseVersion == fence.leaseVersion();",
                ";")
            .seldom(),
        store(
                "instances are released regardless of their holder",
                "MemoryInstanceStore",
                "if (row != null && row.heldBy(lease)) {",
                "if (row != null && row.executorId != null) {")
            .seldom(),
        store(
            "the fence lacks the sequence number",
            "MemoryInstance",
            "return heldBy(fence) && seq == fence.seq();",
            "return heldBy(fence);"),
        store(
                "a write whose reply was lost is taken for a foreign one",
                "MemoryTransitionWriter",
                "if (row.seq <= fence.seq()) {",
                "if (row.seq >= 0) {")
            .seldom(),
        store(
            "a foreign write is taken for one's own",
            "MemoryTransitionWriter",
            "&& next.author().leaseVersion() == fence.leaseVersion();",
            "|| true;"),
        store(
            "a claim does not change the lease version",
            "MemoryInstanceStore",
            "row.leaseVersion++;",
            ""),
        store(
            "a claim takes what others hold",
            "MemoryInstance",
            "return executorId == null\n        && nextActivation != null",
            "return nextActivation != null"),
        store("recovery does not count", "MemoryExecutorStore", "row.recoveries++;", ""),
        store(
            "recovery forgets to make its instances due",
            "MemoryExecutorStore",
            "row.nextActivation = now;\n    row.wakeAt = null;",
            "row.nextActivation = null;\n    row.wakeAt = null;"),
        store(
                "an executor that left with instances is not recovered",
                "MemoryExecutorStore",
                "|| !tables.ownedBy(executor.id()).isEmpty()",
                "&& executor.stopped() == null")
            .seldom(),
        store(
                "a step's result is stored regardless of the holder",
                "MemoryInstanceStore",
                "MemoryInstance row = held(step.fence());",
                "MemoryInstance row = tables.rows.get(step.fence().instanceId());")
            .seldom(),
        store(
            "a signal does not wake",
            "MemoryOperatorStore",
            "if (woken) {",
            "if (woken && request.actor() == null) {"),
        store(
            "a signal that comes during the step is forgotten",
            "MemoryTransitionWriter",
            "boolean due = row.wakeAt != null || row.waitIsOver();",
            "boolean due = row.wakeAt != null;"),
        store(
            "a message to an executing instance is left lying",
            "MemoryTransitionWriter",
            "boolean due = row.wakeAt != null || row.waitIsOver();",
            "boolean due = true;"),
        store(
            "the parent is not told of its children's end",
            "MemoryTables",
            "if (opened < 0 && parent.childrenOpen == 0 && waits) {",
            "if (opened < 0 && parent.childrenOpen < 0 && waits) {"),
        store(
            "children are started before the fence is checked",
            "MemoryTransitionWriter",
            "if (!row.heldUnder(fence)) {",
            "if (!row.heldUnder(fence)) {\n      attach(row, save.changes(), now);"),
        store(
            "a start with a known external id starts another instance",
            "MemoryTables",
            "if (existing != null) {",
            "if (existing != null && existing.seq > 0) {"),
        store(
            "an instance that has ended keeps its owner",
            "MemoryTransitionWriter",
            "row.executorId = null;\n    row.wakeAt = null;\n  }\n}",
            "row.wakeAt = null;\n  }\n}"),
        store(
            "a timer is due at once",
            "MemoryTransitionWriter",
            "row.nextActivation = due ? now : planned;",
            "row.nextActivation = now;"),
        core(
            "owned rows are not compared with held ones",
            "Heartbeat",
            "() -> reconciler.reconcile(executorId)",
            "() -> {}"),
        core(
                "a row is released although the claim's answer may be on its way",
                "Reconciler",
                "if (suspect == null || suspect.leaseVersion != leaseVersion) {",
                "if (suspect == null) {\n        unknownLeases.add(new Fence(id, executorId, leaseVersion, 0));\n      } else if (suspect.leaseVersion != leaseVersion) {")
            .seldom(),
        core(
                "a request to drain is not heeded",
                "Heartbeat",
                "complete.drain(drain);",
                "drain.by();")
            .seldom(),
        core(
                "an expired lease does not stop its handlers",
                "ExecutorLease",
                "return ageNanos() < lostNanos;",
                "return ageNanos() < Long.MAX_VALUE;")
            .seldom(),
        core(
            "a fenced executor goes on",
            "InstanceProcessor",
            "case SaveResult.Fenced fenced ->\n          dropLost(leased, \"another executor or an operator took the instance over\");",
            "case SaveResult.Fenced fenced -> {\n        reportFenced(leased);\n        continueChain(leased, transition.save(), 0);\n      }"),
        core(
            "a fenced handler is not told to stop",
            "LeasedInstance",
            "running.token().cancel(why);\n    }\n    RunningTask",
            "why.length();\n    }\n    RunningTask"),
        core(
                "what a stopping executor still owns stays with it",
                "Heartbeat",
                "() -> reconciler.releaseAll(executorId)",
                "() -> {}")
            .from(5_600),
        core(
                "a handler that waits for the database is not told to stop",
                "StepJournal",
                "token.throwIfCancelled();\n",
                "\n")
            .seldom(),
        core(
                "an owned row is released at the second look despite open requests",
                "Reconciler",
                "suspect != null && pendingClaims.isComplete(suspect.ticket);",
                "suspect != null;")
            .seldom(),
        core(
            "the next step of a chain does not see the variables",
            "InstanceProcessor",
            "leased.variables = LeasedInstance.changed(leased.variables, changes.variables());",
            ""),
        store("attempts are not counted at the claim", "MemoryInstanceStore", "row.attempt++;", ""),
        core(
                "more is claimed than there is room for",
                "WorkQueue",
                "int size = Math.min(most, room);",
                "int size = most;")
            .seldom(),
        core(
                "a save that another transaction blocks is abandoned",
                "BlockedItemQueue",
                "} else if (fault.rejected() || (!retrying",
                "} else if (fault.rejected() || (retrying")
            .seldom(),
        core(
                "what may be blocked is written among the others too",
                "Batcher",
                "all ? List.of() : current.stream().filter(item -> keys(item).isEmpty()).toList());",
                "all ? List.of() : current);")
            .seldom(),
        store(
            "a message takes what others hold",
            "MemoryInstanceStore",
            "if (!row.isClaimable() || row.waitingFor != null",
            "if (row.nextActivation == null || row.waitingFor != null"),
        core(
            "a message that is lost is never made up for",
            "ChannelHandoverPolicy",
            "case Due.Now now -> new Due.After(patience);",
            "case Due.Now now -> new Due.After(patience.multipliedBy(1000));"),
        core(
            "a message asks again and again while nothing may be taken",
            "ChannelClaims",
            "if (room() == 0) {",
            "if (processor.queue().freePlaces() == 0) {"),
        core(
            "saves are not repeated",
            "Batcher",
            "return new Batcher<>(runtime, name, writer, writer, true, keyExtractor, retryListener);",
            "return new Batcher<>(runtime, name, writer, writer, false, keyExtractor, retryListener);"),
        store(
                "a trigger fires regardless of its owner",
                "MemoryContinuousStore",
                "MemoryContinuousRow row = row(fire.owner());\n      if (row == null || row.generation() != fire.generation()) {",
                "MemoryContinuousRow row = row(fire.owner().name());\n      if (row == null) {")
            .seldom(),
        store(
                "a run is continued while an execution of it runs",
                "MemoryContinuousStore",
                "row.iterations > 0 && row.executionId == null)",
                "row.iterations > 0)")
            .seldom(),
        store(
                "an event that comes again counts for a later run",
                "MemoryContinuousRow",
                "iterations += endedSince(run, execution) ? 1 : 0;",
                "iterations++;")
            .from(702_015_882),
        store(
                "a run that has done nothing is continued",
                "MemoryContinuousStore",
                "row.isEnabled() && row.iterations > 0 && row",
                "row.isEnabled() && row")
            .seldom(),
        store(
            "a fire leaves the position of its trigger where it was",
            "MemoryContinuousStore",
            "row.position = fire.position() == null ? row.position : fire.position();",
            ""),
        store(
                "a fire that is refused leaves its execution behind",
                "MemoryContinuousStore",
                "if (row == null || row.generation() != fire.generation()) {\n        return new FireResult.NotOwner();",
                "if (row == null || row.generation() != fire.generation()) {\n        tables.start(fire.execution(), now);\n        return new FireResult.NotOwner();")
            .seldom(),
        store(
            "control returns to a trigger while its execution runs",
            "MemoryContinuousStore",
            "if (executionId != null && !isOpen(executionId)) {",
            "if (executionId != null) {"),
        store(
                "a new owner of a trigger does not wait for its execution",
                "MemoryContinuousRow",
                "startMode = isEnabled() ? mode : null;",
                "startMode = isEnabled() ? mode : null;\n    executionId = null;")
            .seldom(),
        core(
            "a signal that came after the claim is not consumed",
            "AttemptSignals",
            "found.ifPresent(signal -> received",
            "found.filter(inbox.oldestLoaded(name).stream().toList()::contains).ifPresent(signal -> received"),
        triggers(
                "a fire whose fate is unknown is repeated in the same epoch",
                "TriggerPoller",
                "callbacks.unconfirmedFire(run);",
                "callbacks.doubtful(run);")
            .from(17_952),
        triggers(
                "what is closed late after a gap of the lease stays closed",
                "ContinuousSupervisor",
                "gaps.incrementAndGet();\n              pollNow();",
                "pollNow();")
            .from(1_795_442_996_117L),
        triggers(
                "an event is acknowledged before it is durable",
                "TriggerPoller",
                "FireResult result = write(run, event);",
                "event.accepted.run();\n      FireResult result = write(run, event);")
            .seldom(),
        triggers(
                "an event that comes again runs again",
                "TriggerPoller",
                "request = request.externalId(EventExternalIds.externalId(run.name(), event.key));",
                "request = request.priority(4);")
            .seldom());
  }

  private static Mutant triggers(String name, String file, String original, String changed) {
    return new Mutant(name, TRIGGERS + file + ".java", original, changed);
  }

  private static Mutant store(String name, String file, String original, String changed) {
    return new Mutant(name, STORE + file + ".java", original, changed);
  }

  private static Mutant core(String name, String file, String original, String changed) {
    return new Mutant(name, CORE + file + ".java", original, changed);
  }
}
