package io.millrace.server.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A connection that sends any bytes, and reads responses as HTTP. */
final class RawConnection implements AutoCloseable {

  private static final int STEP_MILLIS = 1000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final Duration patience;
  private long deadline;
  private boolean open = true;

  /**
   * @param patience longest time for one whole response, however its bytes arrive
   */
  RawConnection(int port, Duration patience) throws IOException {
    this.patience = patience;
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Math.toIntExact(patience.toMillis()));
    socket.setSoTimeout(STEP_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** True while another request may follow. */
  boolean goesOn() {
    return open;
  }

  /**
   * Sends a request and returns head and body of the response. Of an event stream, which has no
   * end, it returns the head. Empty if the connection ended instead.
   *
   * @param half true to close the sending side after the request
   * @throws SocketTimeoutException if the response does not arrive in time
   */
  String exchange(byte[] request, boolean half) throws SocketTimeoutException {
    open = false;
    deadline = System.nanoTime() + patience.toNanos();
    try {
      socket.getOutputStream().write(request);
      if (half) {
        socket.shutdownOutput();
      }
      return answer(new String(request, 0, Math.min(4, request.length), StandardCharsets.US_ASCII));
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      return "";
    }
  }

  private String answer(String method) throws IOException {
    String head = head();
    String lower = head.toLowerCase(Locale.ROOT);
    if (lower.startsWith("http/1.1 100")) {
      return answer(method);
    }
    if (head.isEmpty() || lower.contains("content-type: text/event-stream")) {
      return head;
    }
    String body = method.equals("HEAD") || lower.startsWith("http/1.1 204") ? "" : body(lower);
    open = !lower.contains("connection: close");
    return head + body;
  }

  private String head() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      int next = read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private String body(String head) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int at = head.indexOf("content-length:");
    if (at >= 0) {
      read(body, Integer.parseInt(head.substring(at + 15, head.indexOf('\r', at)).strip()));
    } else if (head.contains("transfer-encoding: chunked")) {
      for (int length = chunk(); length > 0; length = chunk()) {
        read(body, length);
        line();
      }
      line();
    }
    return body.toString(StandardCharsets.UTF_8);
  }

  private int chunk() throws IOException {
    String size = line();
    if (size.isEmpty()) {
      throw new IOException("The answer broke off.");
    }
    return Integer.parseInt(size, 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = read(); c >= 0 && c != '\n'; c = read()) {
      line.append((char) c);
    }
    return line.toString().strip();
  }

  private void read(ByteArrayOutputStream to, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      int next = read();
      if (next < 0) {
        throw new IOException("The answer broke off.");
      }
      to.write(next);
    }
  }

  private int read() throws IOException {
    while (System.nanoTime() - deadline < 0) {
      try {
        return in.read();
      } catch (SocketTimeoutException e) {
        // a short timeout, so that the deadline is checked again
      }
    }
    throw new SocketTimeoutException("The answer is not whole in time.");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
