package io.millrace.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A short hash by which failures of the same kind are grouped, whichever instance they occurred in.
 * Pure; the same cause has the same fingerprint in every process and after a line was inserted
 * above it.
 */
public final class FailureFingerprint {

  private static final int BYTES = 8;
  private static final int MAX_CAUSES = 10;
  private static final int TOP_FRAMES = 5;
  private static final int MAX_TEXT = 1_000;
  private static final String ENGINE = "io.millrace.dispatch.";

  /** Pattern of quoted texts. Quotation marks within words are apostrophes. */
  private static final Pattern QUOTED =
      Pattern.compile("\"[^\"]*\"|(?<![\\p{L}\\p{N}])'[^']*'(?![\\p{L}\\p{N}])");

  /** Pattern of words with a digit: a number, a time, an id, an address. */
  private static final Pattern NUMBERED =
      Pattern.compile("[\\p{L}_-]*+\\p{N}[\\p{L}\\p{N}_.:,/+-]*");

  /** Pattern of the numbers that the compiler and the JVM add to names of lambdas and proxies. */
  private static final Pattern DIGITS = Pattern.compile("\\d+|/0x[0-9a-f]+");

  /** Pattern of the suffixes of generated classes. */
  private static final Pattern GENERATED = Pattern.compile("\\$(?:\\$|HibernateProxy\\$).*");

  /** Pattern of the frames of the Java runtime, which differ between versions. */
  private static final Pattern RUNTIME = Pattern.compile("(?:java|javax|jdk|sun|com\\.sun)\\..*");

  private FailureFingerprint() {}

  /** Returns the fingerprint of a throwable: its classes and causes, and where they were thrown. */
  public static String of(String type, String state, Throwable failure) {
    StringBuilder text = new StringBuilder("threw");
    try {
      Throwable cause = failure;
      for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
        describe(cause, text);
        cause = cause.getCause();
      }
    } catch (RuntimeException | Error e) {
      // An exception of a user may fail in its own methods; its class is known anyway.
      text.setLength(0);
      text.append("threw ").append(failure.getClass().getName());
    }
    return hash(type, state, text.toString());
  }

  /** Describes a throwable without the callers of the handler, which are not part of the cause. */
  private static void describe(Throwable failure, StringBuilder text) {
    text.append('\n').append(failure.getClass().getName());
    Stream.of(failure.getStackTrace())
        .takeWhile(frame -> !frame.getClassName().startsWith(ENGINE))
        .filter(frame -> !RUNTIME.matcher(frame.getClassName()).matches())
        .limit(TOP_FRAMES)
        .forEach(frame -> text.append("\n ").append(name(frame)));
  }

  private static String name(StackTraceElement frame) {
    String written = GENERATED.matcher(frame.getClassName()).replaceFirst("");
    return DIGITS.matcher(written + "." + frame.getMethodName()).replaceAll("#");
  }

  /** Returns the fingerprint of a reason, without the parts specific to one instance. */
  public static String of(String type, String state, String reason) {
    String start = reason.length() > MAX_TEXT ? reason.substring(0, MAX_TEXT) : reason;
    String unquoted = QUOTED.matcher(start).replaceAll("?");
    return hash(type, state, "said " + NUMBERED.matcher(unquoted).replaceAll("#"));
  }

  /** Returns the fingerprint of an instance parked because its executors died too often. */
  public static String ofDeaths(String type, String state) {
    return hash(type, state, "killed its holders");
  }

  private static String hash(String type, String state, String cause) {
    String text = type + '\n' + state + '\n' + cause;
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
