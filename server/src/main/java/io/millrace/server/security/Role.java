package io.millrace.server.security;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a user or an API key may do; each role may do what the ones before it may. */
public enum Role {
  /** Sees everything but secrets, changes nothing. */
  VIEWER,
  /** Starts and steers instances. */
  OPERATOR,
  /** Manages users and keys. */
  ADMIN;

  /** As written in the HTTP contract and in the tables: {@code viewer}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role that {@link #text} names; empty when there is none. */
  public static Optional<Role> of(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }
}
