package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;

/**
 * A logger of events that callers can cause as often as they like. It writes one line a minute for
 * each kind, with the number of omitted ones. Thread-safe.
 */
public final class RateLimitedLogger {

  private static final long REST_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_KINDS = 100;
  private static final int MAX_LENGTH = 500;

  private final Logger log;
  private final EngineClock clock;
  private final Map<String, Line> lines = new HashMap<>();

  public RateLimitedLogger(Logger log, EngineClock clock) {
    this.log = log;
    this.clock = clock;
  }

  /** The last line of a kind. */
  private static final class Line {
    private final String id = UUID.randomUUID().toString();
    private final long nanos;
    private final int omittedBefore;
    private int omitted;

    private Line(long nanos, int omittedBefore) {
      this.nanos = nanos;
      this.omittedBefore = omittedBefore;
    }

    private String suffix() {
      return omittedBefore == 0 ? "" : " (" + omittedBefore + " more since the last such line)";
    }
  }

  /** Logs a warning, unless this kind was logged within the last minute. */
  public synchronized void warn(String kind, String text) {
    Line line = line(kind);
    if (line.omitted > 0) {
      log.debug("{}", singleLine(text));
    } else {
      log.warn("{}{}", singleLine(text), line.suffix());
    }
  }

  /**
   * Logs an error with its stack trace, unless this kind was logged within the last minute.
   *
   * @return the id under which the log shows an error of this kind
   */
  public synchronized String error(String kind, String text, Throwable thrown) {
    Line line = line(kind);
    if (line.omitted > 0) {
      log.debug("{}", singleLine(text), thrown);
    } else {
      log.error("{}, error {}{}", singleLine(text), line.id, line.suffix(), thrown);
    }
    return line.id;
  }

  /** Returns a new line to write, or the last one with another omission counted. */
  private Line line(String kind) {
    long now = clock.nanoTime();
    if (!lines.containsKey(kind) && lines.size() >= MAX_KINDS) {
      lines.values().removeIf(line -> now - line.nanos >= REST_NANOS);
    }
    // If there are too many kinds within a minute, the others share a line.
    String key = lines.containsKey(kind) || lines.size() < MAX_KINDS ? kind : "";
    Line last = lines.get(key);
    if (last != null && now - last.nanos < REST_NANOS) {
      last.omitted++;
      return last;
    }
    Line line = new Line(now, last == null ? 0 : last.omitted);
    lines.put(key, line);
    return line;
  }

  /** Returns text from a caller as one line, so that it cannot imitate further lines. */
  private static String singleLine(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ");
    return line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) + "..." : line;
  }
}
