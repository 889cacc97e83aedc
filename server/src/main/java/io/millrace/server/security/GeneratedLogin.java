package io.millrace.server.security;

/** A user with a password that was just made and is nowhere else; to be shown once. */
public record GeneratedLogin(String user, String password) {
  @Override
  public String toString() {
    return "GeneratedLogin[user=" + user + ", password=***]";
  }
}
