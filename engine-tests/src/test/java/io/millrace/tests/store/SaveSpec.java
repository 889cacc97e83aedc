package io.millrace.tests.store;

import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AttachedWrite;
import io.millrace.store.ChannelMessage;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A transition of a held instance; by default to state {@code next}, due at once. */
final class SaveSpec {

  static final Duration TOOK = Duration.ofMillis(5);

  private final WorkflowInstance held;
  private Fence fence;
  private HistoryEntryType type = HistoryEntryType.STATE_EXECUTION;
  private String reason = "went on";
  private String error;
  private String actor;
  private String state = "next";
  private InstanceStatus status = InstanceStatus.IN_PROGRESS;
  private Due due = Due.NOW;
  private String waitingFor;
  private boolean newVisit = true;
  private boolean keepLease;
  private int attempt;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private int variableCount;
  private final List<NewInstance> children = new ArrayList<>();
  private final List<Long> consumed = new ArrayList<>();
  private Progress progress;
  private Long parentId;
  private final List<AttachedWrite> attached = new ArrayList<>();
  private String failure;

  SaveSpec(WorkflowInstance held) {
    this.held = held;
    this.fence = fenceOf(held);
    this.variableCount = held.details().variableCount();
    this.parentId = held.origin().parentId();
  }

  /** Returns the fence of the executor that claimed this snapshot. */
  static Fence fenceOf(WorkflowInstance held) {
    Long executor = held.lease().executorId();
    return new Fence(
        held.id(), executor == null ? 0 : executor, held.lease().leaseVersion(), held.seq());
  }

  SaveSpec fence(Fence other) {
    this.fence = other;
    return this;
  }

  SaveSpec reason(String text) {
    this.reason = text;
    return this;
  }

  SaveSpec error(String text) {
    this.error = text;
    return this;
  }

  SaveSpec by(HistoryEntryType kind, String operator) {
    this.type = kind;
    this.actor = operator;
    return this;
  }

  SaveSpec to(String name) {
    this.state = name;
    return this;
  }

  SaveSpec status(InstanceStatus value) {
    this.status = value;
    return this;
  }

  SaveSpec due(Due value) {
    this.due = value;
    return this;
  }

  SaveSpec waitFor(String event, Due limit) {
    this.waitingFor = event;
    this.due = limit;
    return this;
  }

  SaveSpec end(InstanceStatus value) {
    this.status = value;
    this.due = new Due.Never();
    return this;
  }

  /** Specifies a failed attempt that is repeated after {@code delay}. */
  SaveSpec retry(Duration delay) {
    this.type = HistoryEntryType.STATE_EXECUTION_FAILED;
    this.state = held.state();
    this.newVisit = false;
    this.attempt = held.lease().attempt();
    this.due = new Due.After(delay);
    return this;
  }

  SaveSpec keepLease() {
    this.keepLease = true;
    this.attempt = 1;
    return this;
  }

  SaveSpec attempt(int number) {
    this.attempt = number;
    return this;
  }

  SaveSpec set(String name, String json) {
    this.variables.put(name, json);
    return this;
  }

  SaveSpec remove(String name) {
    this.variables.put(name, null);
    return this;
  }

  SaveSpec variableCount(int count) {
    this.variableCount = count;
    return this;
  }

  SaveSpec child(StartSpec child) {
    this.children.add(child.parent(held.id()).build());
    return this;
  }

  SaveSpec consume(List<InboxMessage> messages) {
    messages.forEach(message -> consumed.add(message.id()));
    return this;
  }

  SaveSpec progress(Progress value) {
    this.progress = value;
    return this;
  }

  SaveSpec failure(String fingerprint) {
    this.failure = fingerprint;
    return this;
  }

  SaveSpec handover(ChannelMessage message) {
    this.attached.add(message);
    return this;
  }

  SaveSpec with(List<AttachedWrite> writes) {
    this.attached.addAll(writes);
    return this;
  }

  SaveRequest build() {
    return new SaveRequest(
        fence,
        new SaveRequest.Entry(
            type, held.state(), reason, error, held.lease().attempt(), TOOK, actor),
        new SaveRequest.Target(state, status, due, waitingFor, newVisit, keepLease, attempt),
        new SaveRequest.Changes(
            variables, variableCount, children, consumed, progress, parentId, failure),
        attached);
  }
}
