package io.millrace.testing;

import io.millrace.instance.ChildCounts;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.LogLine;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Fence;
import io.millrace.store.InboxRules;
import io.millrace.store.NewInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An instance with all that belongs to it: the columns of its row, and the rows of other tables
 * that refer to it. Changed only under the lock of {@link MemoryTables}, which is notified of every
 * change.
 */
final class MemoryInstance {

  final long id;
  Origin origin;
  final int definitionId;
  final @Nullable String input;
  final String payloadHash;
  final Instant created;

  String state;
  InstanceStatus status = InstanceStatus.CREATED;
  @Nullable String reason;
  int enteredSeq;
  @Nullable Instant nextActivation;
  @Nullable String waitingFor;
  @Nullable Instant waitUntil;

  @Nullable Long executorId;
  int leaseVersion;
  int seq;
  int attempt;
  int recoveries;

  /** Time of a request to run while the instance was executing; the next write makes it due. */
  @Nullable Instant wakeAt;

  Instant modified;
  Instant entered;
  @Nullable Instant ended;

  int childrenTotal;
  int childrenOpen;
  int childrenFailed;

  int variableCount;
  int stepsSeq = -1;
  @Nullable Progress progress;
  @Nullable String failure;

  final Map<String, String> variables;
  final List<HistoryEntry> actions = new ArrayList<>();
  final TreeMap<Long, InboxMessage> messages = new TreeMap<>();
  final TreeMap<Long, InboxMessage> unconsumedMessages = new TreeMap<>();

  /** Bytes of the payloads of {@link #unconsumedMessages}. */
  private long inboxBytes;

  final Set<String> signalKeys = new HashSet<>();
  final Map<Integer, Map<String, String>> steps = new TreeMap<>();
  final List<LogLine> log = new ArrayList<>();

  MemoryInstance(long id, NewInstance start, Instant now) {
    this.id = id;
    this.origin = start.origin();
    this.definitionId = start.definitionId();
    this.input = start.input();
    this.payloadHash = start.payloadHash();
    this.variables = new TreeMap<>(start.variables());
    this.variableCount = variables.size();
    this.state = start.startState();
    this.created = now;
    this.modified = now;
    this.entered = now;
    this.nextActivation = MemoryColumnTimes.of(start.due(), now);
    if (start.leasedBy() != null) {
      this.executorId = start.leasedBy();
      this.leaseVersion = 1;
      this.attempt = 1;
    }
  }

  WorkflowInstance snapshot() {
    return new WorkflowInstance(
        id,
        origin,
        new Position(state, status, reason, enteredSeq, nextActivation, waitingFor, waitUntil),
        new Lease(executorId, leaseVersion, seq, attempt, recoveries),
        new InstanceTimestamps(created, modified, entered, ended),
        new ChildCounts(childrenTotal, childrenOpen, childrenFailed),
        new InstanceDetails(variableCount, unconsumedMessages.size(), stepsSeq, progress, failure));
  }

  boolean heldUnder(Fence fence) {
    return heldBy(fence) && seq == fence.seq();
  }

  /**
   * Returns true under the same conditions as {@link #heldUnder}, except for the number of the last
   * write.
   */
  boolean heldBy(Fence fence) {
    return executorId != null
        && executorId == fence.executorId()
        && leaseVersion == fence.leaseVersion();
  }

  /** Returns true if an executor may claim it as soon as it is due. */
  boolean isClaimable() {
    return executorId == null
        && nextActivation != null
        && (status == InstanceStatus.CREATED || status == InstanceStatus.IN_PROGRESS);
  }

  boolean isDue(Instant now) {
    return isClaimable() && nextActivation != null && !nextActivation.isAfter(now);
  }

  /** Returns true if the awaited event has already happened. */
  boolean waitIsOver() {
    if (Position.CHILDREN.equals(waitingFor)) {
      boolean backsOff = attempt > 0 && waitUntil != null;
      return childrenOpen == 0 && !backsOff;
    }
    return unconsumedMessages.values().stream()
        .anyMatch(m ->
            m.kind() == InboxMessage.Kind.SIGNAL && Position.signal(m.name()).equals(waitingFor));
  }

  /**
   * Appends the next history entry; {@code from} is the state before, {@link #state} the one after.
   */
  void write(
      HistoryEntryType type,
      String from,
      HistoryEntry.Outcome outcome,
      HistoryEntry.Author author,
      HistoryEntry.Span span) {
    seq++;
    actions.add(
        new HistoryEntry(id, seq, type, new HistoryEntry.Move(from, state), outcome, author, span));
  }

  void receive(InboxMessage message) {
    messages.put(message.id(), message);
    unconsumedMessages.put(message.id(), message);
    inboxBytes += InboxRules.bytes(message.payload());
  }

  long inboxBytes() {
    return inboxBytes;
  }

  /** Returns the names of the signals that a history entry consumed. */
  List<String> consumedBy(int entrySeq) {
    return messages.values().stream()
        .filter(message -> message.kind() == InboxMessage.Kind.SIGNAL)
        .filter(message -> Integer.valueOf(entrySeq).equals(message.consumedSeq()))
        .map(InboxMessage::name)
        .toList();
  }

  void consume(long messageId) {
    InboxMessage m = unconsumedMessages.remove(messageId);
    if (m != null) {
      inboxBytes -= InboxRules.bytes(m.payload());
      messages.put(
          messageId,
          new InboxMessage(m.id(), m.instanceId(), m.kind(), m.name(), m.payload(), m.sent(), seq));
    }
  }

  void change(Map<String, @Nullable String> changed) {
    changed.forEach((name, value) -> {
      if (value == null) {
        variables.remove(name);
      } else {
        variables.put(name, value);
      }
    });
  }
}
