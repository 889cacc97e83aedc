package io.millrace.server.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A summary of changes, so that clients can read the data again.
 *
 * @param instances ids; empty with {@code more} if there were too many to name
 * @param types types of the instances that changed
 * @param more true if more instances changed than are named
 * @param executors true if the list of executors changed
 * @param sequences true if task sequences changed, fired or advanced
 * @param credentials true if API keys, users or sessions ended, which is not sent to any caller
 * @param restricted ids by type of further instances, which not every role may read
 */
record ChangeSummary(
    List<Long> instances,
    List<String> types,
    boolean more,
    boolean executors,
    boolean sequences,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean credentials,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, List<Long>> restricted) {

  /** A summary without changes. */
  static final ChangeSummary NONE =
      new ChangeSummary(List.of(), List.of(), false, false, false, false, Map.of());

  /** Upper limit of the instances that are named. */
  static final int MAX = 200;

  ChangeSummary {
    instances = instances == null ? List.of() : List.copyOf(instances);
    types = types == null ? List.of() : List.copyOf(types);
    restricted = restricted == null ? Map.of() : Map.copyOf(restricted);
  }

  /** Returns the part that a caller of this role may read. */
  ChangeSummary readable(Role role) {
    List<Long> ids = new ArrayList<>(instances);
    List<String> names = new ArrayList<>(types);
    restricted.forEach((type, some) -> {
      if (InstancePermissions.allows(role, type, InstancePermissions.Access.READ)) {
        ids.addAll(some);
        names.add(type);
      }
    });
    return new ChangeSummary(ids, names, more, executors, sequences, false, Map.of());
  }
}
