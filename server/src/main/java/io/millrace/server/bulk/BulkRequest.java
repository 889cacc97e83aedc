package io.millrace.server.bulk;

import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.Role;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a bulk run shall do. Stored as the input of its instance.
 *
 * @param state to move to; null unless the action is move
 * @param signal to send; null unless the action is signal
 * @param reason null when none was given
 * @param actor who asked for it
 * @param highestId instances with a greater id are left alone: they were started later
 * @param total how many matched when it was asked for
 * @param role of the actor; null in runs of versions that did not store it, which then have the
 *     permissions of an operator
 */
public record BulkRequest(
    BulkAction action,
    InstanceFilter filter,
    @Nullable String state,
    @Nullable SignalToSend signal,
    @Nullable String reason,
    String actor,
    long highestId,
    long total,
    @Nullable Role role) {

  /**
   * A signal.
   *
   * @param payload any JSON; null for none
   */
  public record SignalToSend(String name, @Nullable JsonNode payload) {}

  /** Returns true if the actor may do this to instances of {@code type}. */
  boolean mayActOn(String type) {
    return InstancePermissions.allows(role == null ? Role.OPERATOR : role, type, action.use());
  }

  /** The same request about other instances. */
  BulkRequest withScope(long otherHighestId, long otherTotal) {
    return new BulkRequest(
        action, filter, state, signal, reason, actor, otherHighestId, otherTotal, role);
  }
}
