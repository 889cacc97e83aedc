package io.millrace.server.security;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The least role that a route asks for. Every route has one. */
public enum Permission {
  /** Anybody, also without credentials. */
  PUBLIC(null),
  VIEWER(Role.VIEWER),
  OPERATOR(Role.OPERATOR),
  ADMIN(Role.ADMIN);

  private final @Nullable Role least;

  Permission(@Nullable Role least) {
    this.least = least;
  }

  /** As {@code x-permission} in the HTTP contract writes it: {@code public}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether somebody with that role may use such a route.
   *
   * @param role null for somebody who is not known
   */
  public boolean allows(@Nullable Role role) {
    return least == null || (role != null && role.compareTo(least) >= 0);
  }
}
