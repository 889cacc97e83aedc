package io.millrace.store;

import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to save a transition in one transaction, under the fence.
 *
 * @param attached written with it, such as the message over the channel of the target state
 */
public record SaveRequest(
    Fence fence, Entry entry, Target target, Changes changes, List<AttachedWrite> attached) {

  public SaveRequest {
    attached = List.copyOf(attached);
  }

  /** Creates a request without attached writes. */
  public SaveRequest(Fence fence, Entry entry, Target target, Changes changes) {
    this(fence, entry, target, changes, List.of());
  }

  /** Returns a copy with further attached writes. */
  public SaveRequest with(List<? extends AttachedWrite> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<AttachedWrite> all = new ArrayList<>(attached);
    all.addAll(more);
    return new SaveRequest(fence, entry, target, changes, all);
  }

  /**
   * The history entry.
   *
   * @param from the state that was left, or retried
   * @param error stack trace; null if the attempt did not throw
   * @param attempt the attempt's number; 0 for none
   * @param took how long the handler ran
   * @param actor the operator whose message is carried out; null for a handler's answer
   */
  public record Entry(
      HistoryEntryType type,
      String from,
      @Nullable String reason,
      @Nullable String error,
      int attempt,
      Duration took,
      @Nullable String actor) {}

  /**
   * The position of the instance after the transition.
   *
   * @param status the stored status, never executing
   * @param due when it runs next; for a wait, when the wait ends without its event
   * @param waitingFor the awaited event; null for none
   * @param newVisit true if a new visit of the state begins, false for a further attempt in the
   *     current one
   * @param keepLease true if the holder continues with the next attempt at once
   * @param attempt attempts started, after this write
   */
  public record Target(
      String state,
      InstanceStatus status,
      Due due,
      @Nullable String waitingFor,
      boolean newVisit,
      boolean keepLease,
      int attempt) {

    /**
     * Returns the stored awaited event. An ended instance waits for nothing, but a failed one that
     * has waited for its children does so again when it is retried.
     */
    public @Nullable String awaited() {
      return awaited(status, waitingFor);
    }

    static @Nullable String awaited(InstanceStatus status, @Nullable String waitingFor) {
      boolean failedJoin = status == InstanceStatus.FAILED && Position.CHILDREN.equals(waitingFor);
      return status.isTerminal() && !failedJoin ? null : waitingFor;
    }
  }

  /**
   * The further changes of the transition.
   *
   * @param variables JSON texts by name, null for a removed variable; only the changed ones
   * @param variableCount number of variables afterwards
   * @param children started with the transition
   * @param consumed ids of consumed messages
   * @param progress null if unchanged
   * @param parentId the parent to notify; null unless this transition ends a child
   * @param failure the {@link FailureFingerprint} of the failure that ends the instance as failed
   *     or leaves it to an operator; null for none
   */
  public record Changes(
      Map<String, @Nullable String> variables,
      int variableCount,
      List<NewInstance> children,
      List<Long> consumed,
      @Nullable Progress progress,
      @Nullable Long parentId,
      @Nullable String failure) {}
}
