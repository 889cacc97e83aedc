package io.millrace.server.security;

/** A user with a generated password that is stored nowhere in plain text; to be shown once. */
public record GeneratedLogin(String user, String password) {
  @Override
  public String toString() {
    return "GeneratedLogin[user=" + user + ", password=***]";
  }
}
