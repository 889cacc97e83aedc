package io.millrace.server.observe;

import io.millrace.instance.LogLine;
import io.millrace.server.config.ObservabilityConfig;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one attempt, up to the limits. Thread-safe: a handler may log on several threads.
 */
final class AttemptLog {

  private static final String CUT = " ...";

  private final long instanceId;
  private final LogLine.Source source;
  private final ObservabilityConfig.Logs limits;
  private final UnaryOperator<String> redaction;
  private int lines;
  private int bytes;
  private int dropped;

  /**
   * @param redaction removes the secrets of the attempt from a text, on any thread
   */
  AttemptLog(
      long instanceId,
      LogLine.Source source,
      ObservabilityConfig.Logs limits,
      UnaryOperator<String> redaction) {
    this.instanceId = instanceId;
    this.source = source;
    this.limits = limits;
    this.redaction = redaction;
  }

  /** Returns the line to store; null if the attempt has reached its limits. */
  synchronized @Nullable LogLine add(Instant at, String level, String logger, String message) {
    String text = shortened(CredentialMasking.mask(shortened(redaction.apply(message))));
    int size = Utf8.length(text);
    if (lines >= limits.linesPerAttempt() || size > limits.bytesPerAttempt() - bytes) {
      dropped++;
      return null;
    }
    lines++;
    bytes += size;
    return line(at, level, logger, text);
  }

  private String shortened(String text) {
    return Utf8.cut(text, limits.bytesPerLine(), CUT);
  }

  /** Records that a line that was added could not be stored. */
  synchronized void lost() {
    dropped++;
  }

  /** Returns a line that reports the missing lines; null if none is missing. */
  synchronized @Nullable LogLine end(Instant at) {
    if (dropped == 0 || limits.linesPerAttempt() == 0) {
      return null;
    }
    return line(
        at,
        "WARN",
        LogCapture.class.getName(),
        dropped
            + (dropped == 1 ? " more line was" : " more lines were")
            + " logged in this attempt and not kept here");
  }

  private LogLine line(Instant at, String level, String logger, String text) {
    return new LogLine(0, instanceId, source, at, level, logger, text);
  }
}
