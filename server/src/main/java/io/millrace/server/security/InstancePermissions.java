package io.millrace.server.security;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The permissions that the instances of a workflow type require. An instance of a server type
 * requires the permission of the operation that it stands for: a rollout replaces nodes, so only
 * administrators may act on its instance.
 */
public final class InstancePermissions {

  /** The prefix of the server's own types. */
  public static final String OWN_TYPES = "millrace-";

  /** A kind of access to an instance. */
  public enum Access {
    /** Reads the instance, its input, variables, history, signals and log lines. */
    READ,
    /** Pauses, resumes, cancels, retries or wakes it. */
    CONTROL,
    /**
     * Signals it, moves it or edits its variables. For the server's own instances, this bypasses
     * the checks of the operations that they stand for.
     */
    MODIFY
  }

  private static final Map<Access, Permission> WORKFLOW =
      needs(Permission.VIEWER, Permission.OPERATOR, Permission.OPERATOR);

  /**
   * Permissions for the server's own types that are not listed, which a newer version may have
   * added.
   */
  private static final Map<Access, Permission> UNKNOWN = only(Permission.ADMIN);

  private static final Map<String, Map<Access, Permission>> OWN =
      Map.of(
          "millrace-alert",
          needs(Permission.VIEWER, Permission.OPERATOR, Permission.ADMIN),
          "millrace-backfill",
          needs(Permission.VIEWER, Permission.OPERATOR, Permission.ADMIN),
          "millrace-bulk",
          needs(Permission.VIEWER, Permission.OPERATOR, Permission.ADMIN),
          "millrace-maintenance",
          needs(Permission.VIEWER, Permission.OPERATOR, Permission.ADMIN),
          "millrace-notice",
          needs(Permission.OPERATOR, Permission.OPERATOR, Permission.ADMIN),
          "millrace-rollout",
          needs(Permission.VIEWER, Permission.ADMIN, Permission.ADMIN),
          "millrace-rollout-notice",
          needs(Permission.VIEWER, Permission.ADMIN, Permission.ADMIN),
          "millrace-subscription",
          only(Permission.ADMIN));

  private InstancePermissions() {}

  private static Map<Access, Permission> needs(
      Permission read, Permission steer, Permission alter) {
    return Map.of(Access.READ, read, Access.CONTROL, steer, Access.MODIFY, alter);
  }

  private static Map<Access, Permission> only(Permission all) {
    return needs(all, all, all);
  }

  /** Returns true for one of the server's own types. */
  public static boolean isServerType(String type) {
    return type.startsWith(OWN_TYPES);
  }

  /** Returns the server's own types with known permissions. */
  public static Set<String> ownTypes() {
    return OWN.keySet();
  }

  /** Returns the permission that {@code access} to an instance of {@code type} requires. */
  public static Permission needed(String type, Access access) {
    Map<Access, Permission> needs = isServerType(type) ? OWN.getOrDefault(type, UNKNOWN) : WORKFLOW;
    return needs.getOrDefault(access, Permission.ADMIN);
  }

  /**
   * Returns true if a caller of this role has {@code access} to instances of {@code type}.
   *
   * @param role null for a caller without credentials
   */
  public static boolean allows(@Nullable Role role, String type, Access access) {
    return needed(type, access).allows(role);
  }

  /** Returns the types whose instances a caller of this role must not read. */
  public static Set<String> unreadable(@Nullable Role role) {
    return OWN.keySet().stream()
        .filter(type -> !allows(role, type, Access.READ))
        .collect(Collectors.toUnmodifiableSet());
  }
}
