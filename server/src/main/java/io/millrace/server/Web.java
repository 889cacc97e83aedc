package io.millrace.server;

/** What answers requests. The server opens it after the engine and closes it last. */
interface Web extends AutoCloseable {

  /** Opens it, so that it answers when this returns. */
  interface Opener {
    Web open(Parts parts);
  }

  /** Where it answers, for people. */
  String address();

  /** Answers nobody any more; requests that have begun may end. */
  @Override
  void close();
}
