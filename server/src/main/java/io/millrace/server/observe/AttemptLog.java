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
   * @param redaction takes the secrets of the attempt out of a text, on any thread
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

  /** The line to keep; null when the attempt has had its share. */
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

  /** A line that was added could not be kept after all. */
  synchronized void lost() {
    dropped++;
  }

  /** What the reader must know at the end; null when nothing is missing. */
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
