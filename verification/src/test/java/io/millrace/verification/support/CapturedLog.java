package io.millrace.verification.support;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The log lines of level warning and above that are written until it is closed. */
public final class CapturedLog implements AutoCloseable {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  /** Replaces the standard error stream, to which the tests' logger writes. */
  public CapturedLog() {
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  }

  /** Returns what has been logged so far. */
  public String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    System.setErr(before);
    before.print(text());
  }
}
