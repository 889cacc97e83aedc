package io.millrace.server.security;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The least role that a route requires. Every route has one. */
public enum Permission {
  /** Any caller, including one without credentials. */
  PUBLIC(null),
  VIEWER(Role.VIEWER),
  OPERATOR(Role.OPERATOR),
  ADMIN(Role.ADMIN);

  private final @Nullable Role least;

  Permission(@Nullable Role least) {
    this.least = least;
  }

  /** Returns the name in {@code x-permission} of the HTTP contract: {@code public}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * True if a caller of that role may use the route.
   *
   * @param role null for an anonymous caller
   */
  public boolean allows(@Nullable Role role) {
    return least == null || (role != null && role.compareTo(least) >= 0);
  }
}
