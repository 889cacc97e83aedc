package io.millrace.server.http;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.Http;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import org.eclipse.jetty.http.HttpException;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests: counted, timed, in UTF-8, JSON only. Thread-safe. */
final class Body {

  private static final int FIRST = 4096;

  /** How much of a body that is too large is read all the same, as a multiple of the limit. */
  private static final int PASSED_OVER = 16;

  private final int most;
  private final long patience;
  private final EngineClock clock;

  Body(Http.Limits limits, EngineClock clock) {
    this.most = limits.body();
    this.patience = limits.requestTime().toNanos();
    this.clock = clock;
  }

  /** The text of the body; empty when there is none. */
  String read(HttpServletRequest request) {
    boolean tooLong = request.getContentLengthLong() > most;
    if (tooLong && request.getHeader("Expect") != null) {
      throw tooLarge();
    }
    try (InputStream in = request.getInputStream()) {
      if (tooLong) {
        passOver(in, clock.nanoTime());
        throw tooLarge();
      }
      return read(in, request.getContentType());
    } catch (IOException | HttpException.RuntimeException e) {
      throw ProblemException.of(
          400, "The body ended early, or its chunks are wrong; send it whole.");
    }
  }

  private String read(InputStream in, @Nullable String contentType) throws IOException {
    long begun = clock.nanoTime();
    byte[] bytes = new byte[FIRST];
    int length = 0;
    for (int read = in.read(bytes);
        read >= 0;
        read = in.read(bytes, length, bytes.length - length)) {
      length += read;
      if (length > most) {
        passOver(in, begun);
        throw tooLarge();
      }
      if (clock.nanoTime() - begun > patience) {
        throw ProblemException.of(408, "The body came too slowly; send it at once.");
      }
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(bytes.length * 4, most + 1));
      }
    }
    if (length > 0) {
      checkType(contentType);
    }
    return Texts.utf8("body", bytes, length);
  }

  /** Who is still writing would lose the answer together with the connection. */
  private void passOver(InputStream in, long begun) throws IOException {
    byte[] bytes = new byte[FIRST];
    long left = (long) most * PASSED_OVER;
    for (int read = in.read(bytes); read >= 0 && left > 0; read = in.read(bytes)) {
      left -= read;
      if (clock.nanoTime() - begun > patience) {
        return;
      }
    }
  }

  private static void checkType(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    int semicolon = type.indexOf(';');
    String media = (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
    String rest = semicolon < 0 ? "" : type.substring(semicolon + 1).replace(" ", "");
    boolean utf8 =
        rest.isEmpty() || rest.equals("charset=utf-8") || rest.equals("charset=\"utf-8\"");
    if (!media.equals("application/json") || !utf8) {
      throw ProblemException.of(
          415, "The body's content type is not application/json in UTF-8; send it as that.");
    }
  }

  private ProblemException tooLarge() {
    return ProblemException.of(413, "The body is too large; expected at most " + most + " bytes.");
  }
}
