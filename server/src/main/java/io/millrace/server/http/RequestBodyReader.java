package io.millrace.server.http;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.HttpConfig;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EndPoint;

/**
 * The only reader of request bodies. It limits the size and the time of the whole body, and accepts
 * only UTF-8 and one media type. Thread-safe.
 */
final class RequestBodyReader {

  private static final int FIRST = 4096;

  /** Part of an oversized body that is still read, as a multiple of the limit. */
  private static final int PASSED_OVER = 16;

  private final int most;
  private final long patience;
  private final EngineClock clock;

  RequestBodyReader(HttpConfig.Limits limits, EngineClock clock) {
    this.most = limits.body();
    this.patience = limits.requestTime().toNanos();
    this.clock = clock;
  }

  /** Returns the text of the body; empty if there is none. */
  String read(HttpServletRequest request, MediaType type) {
    boolean tooLong = request.getContentLengthLong() > most;
    if (tooLong && request.getHeader("Expect") != null) {
      throw tooLarge();
    }
    try (Reading in = new Reading(request)) {
      if (tooLong) {
        in.passOver();
        throw tooLarge();
      }
      return read(in, request, type);
    } catch (IOException | HttpException.RuntimeException e) {
      throw ProblemException.of(
          400, "The body ended early, or its chunks are wrong; send it whole.");
    }
  }

  private String read(Reading in, HttpServletRequest request, MediaType type) throws IOException {
    byte[] bytes = new byte[FIRST];
    int length = 0;
    for (int read = in.read(bytes, 0); read >= 0; read = in.read(bytes, length)) {
      length += read;
      if (length > most) {
        in.passOver();
        throw tooLarge();
      }
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(bytes.length * 4, most + 1));
      }
    }
    if (length > 0 && !type.isIn(request.getContentType())) {
      throw ProblemException.of(
          415, "The body's content type is not " + type.text() + " in UTF-8; send it as that.");
    }
    String coding = request.getHeader("Content-Encoding");
    if (length > 0 && coding != null && !coding.strip().equalsIgnoreCase("identity")) {
      throw ProblemException.of(
          415, "The body is compressed or encoded by Content-Encoding; send it without.");
    }
    return InputText.utf8("body", bytes, length);
  }

  private ProblemException tooLarge() {
    return ProblemException.of(413, "The body is too large; expected at most " + most + " bytes.");
  }

  /** A body that is being read. */
  private final class Reading implements AutoCloseable {

    private final InputStream in;
    private final EndPoint connection;
    private final long idle;
    private final long begun = clock.nanoTime();

    Reading(HttpServletRequest request) throws IOException {
      this.in = request.getInputStream();
      this.connection =
          ServletContextRequest.getServletContextRequest(request)
              .getConnectionMetaData()
              .getConnection()
              .getEndPoint();
      this.idle = connection.getIdleTimeout();
    }

    /** Reads into the rest of {@code bytes}; returns -1 at the end. */
    int read(byte[] bytes, int from) throws IOException {
      if (in.available() == 0) {
        // A client that stops sending must not get the whole idle timeout in addition.
        connection.setIdleTimeout(Math.min(idle, left()));
      }
      try {
        int read = in.read(bytes, from, bytes.length - from);
        left();
        return read;
      } catch (IOException e) {
        left();
        throw e;
      }
    }

    /** Returns the milliseconds that remain for the body, at least one. */
    private long left() {
      long left = patience - (clock.nanoTime() - begun);
      if (left <= 0) {
        throw ProblemException.of(408, "The body came too slowly; send it at once.");
      }
      return left / 1_000_000 + 1;
    }

    /**
     * Reads and discards the rest of the body. A client that is still sending would otherwise lose
     * the response together with the connection.
     */
    void passOver() throws IOException {
      byte[] bytes = new byte[FIRST];
      long rest = (long) most * PASSED_OVER;
      for (int read = read(bytes, 0); read >= 0 && rest > 0; read = read(bytes, 0)) {
        rest -= read;
      }
    }

    @Override
    public void close() throws IOException {
      connection.setIdleTimeout(idle);
      in.close();
    }
  }
}
