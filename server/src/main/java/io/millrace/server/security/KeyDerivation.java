package io.millrace.server.security;

/** A function that derives a key from a password, slowly. */
@FunctionalInterface
interface KeyDerivation {

  /** Returns the key of {@code password}. */
  byte[] derive(String password, byte[] salt, int iterations);
}
