package io.millrace.server.cli;

/** The exit codes of the commands. */
final class ExitCodes {
  static final int OK = 0;

  /** The server rejected the request, or the watched instance did not finish. */
  static final int FAILED = 1;

  /** The command line was invalid; no request was sent. */
  static final int USAGE = 2;

  static final int NOT_FOUND = 3;

  /** The key is missing or invalid, or its role does not permit the request. */
  static final int FORBIDDEN = 4;

  /** The server, its database or its Redis did not answer. */
  static final int UNREACHABLE = 5;

  private ExitCodes() {}
}
