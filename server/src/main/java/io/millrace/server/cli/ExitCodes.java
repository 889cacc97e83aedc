package io.millrace.server.cli;

/** What the commands exit with. */
final class ExitCodes {
  static final int OK = 0;

  /** The server refused, or the watched instance did not finish. */
  static final int FAILED = 1;

  /** The command line was wrong; nothing was asked of the server. */
  static final int USAGE = 2;

  static final int NOT_FOUND = 3;

  /** No key, a wrong key, or a role that may not do this. */
  static final int FORBIDDEN = 4;

  /** The server, its database or its Redis did not answer. */
  static final int UNREACHABLE = 5;

  private ExitCodes() {}
}
