package io.millrace.server.security;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The role of a user or an API key. Each role includes the permissions of the previous ones. */
public enum Role {
  /** Reads everything except secrets, and changes nothing. */
  VIEWER,
  /** Starts and controls instances. */
  OPERATOR,
  /** Manages users and keys. */
  ADMIN;

  /** Returns the name in the HTTP contract and in the tables: {@code viewer}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the role with the name {@link #text}; empty if there is none. */
  public static Optional<Role> of(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }
}
