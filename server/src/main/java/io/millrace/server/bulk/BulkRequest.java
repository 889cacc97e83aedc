package io.millrace.server.bulk;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.Role;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The request for a bulk run, stored as the input of its instance.
 *
 * @param state the state to move to; null unless the action is move
 * @param force true to move also where the definition of an instance does not permit it, and while
 *     its children run; false in runs of versions that did not store it
 * @param signal the signal to send; null unless the action is signal
 * @param reason null when none was given
 * @param actor the actor who requested it
 * @param highestId greatest id of the instances to act on, which leaves out instances that were
 *     started later
 * @param total number of instances that matched at the time of the request
 * @param role of the actor; null in runs of versions that did not store it, which then have the
 *     permissions of an operator
 */
public record BulkRequest(
    BulkAction action,
    InstanceFilter filter,
    @Nullable String state,
    @JsonSetter(nulls = Nulls.AS_EMPTY) boolean force,
    @Nullable SignalToSend signal,
    @Nullable String reason,
    String actor,
    long highestId,
    long total,
    @Nullable Role role) {

  /**
   * A signal to send.
   *
   * @param payload any JSON; null for none
   */
  public record SignalToSend(String name, @Nullable JsonNode payload) {}

  /** Returns true if the actor may act on instances of {@code type}. */
  boolean mayActOn(String type) {
    return InstancePermissions.allows(role == null ? Role.OPERATOR : role, type, action.use());
  }

  /** Returns the same request with another scope. */
  BulkRequest withScope(long otherHighestId, long otherTotal) {
    return new BulkRequest(
        action, filter, state, force, signal, reason, actor, otherHighestId, otherTotal, role);
  }
}
