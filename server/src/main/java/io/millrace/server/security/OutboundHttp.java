package io.millrace.server.security;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One HTTP/1.1 request on one connection to a given address. The HTTP clients of the JDK cannot do
 * this, because each of them resolves the name by itself.
 */
final class OutboundHttp {

  private static final int MAX_HEADERS = 64 * 1024;

  private final int mostBytes;

  OutboundHttp(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  OutboundClient.Response send(
      OutboundClient.Request request, String host, List<InetAddress> addresses, Deadline deadline)
      throws IOException {
    byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
    byte[] head = head(request, body.length).getBytes(StandardCharsets.ISO_8859_1);
    try (Socket plain = connect(addresses, port(request.url()), deadline);
        Socket socket = isTls(request.url()) ? encrypt(plain, host, request.url()) : plain) {
      deadline.limit(socket);
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      out.write(head);
      out.write(body);
      out.flush();
      return new Answer(
              new BufferedInputStream(new DeadlineInputStream(socket, deadline)), mostBytes)
          .read(request.method());
    }
  }

  /** Connects to the first address that accepts; throws the error of the last one if none does. */
  private static Socket connect(List<InetAddress> addresses, int port, Deadline deadline)
      throws IOException {
    for (int i = 0; ; i++) {
      Socket socket = new Socket(Proxy.NO_PROXY);
      try {
        socket.connect(new InetSocketAddress(addresses.get(i), port), deadline.millis());
        deadline.limit(socket);
        return socket;
      } catch (IOException e) {
        socket.close();
        if (i == addresses.size() - 1) {
          throw e;
        }
      }
    }
  }

  private static Socket encrypt(Socket plain, String host, URI url) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port(url), true);
    SSLParameters parameters = socket.getSSLParameters();
    // Compares the certificate with the name, which a bare socket does not.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static String head(OutboundClient.Request request, int length) throws ProtocolException {
    URI url = request.url();
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    StringBuilder head = new StringBuilder(request.method() + " " + path + query + " HTTP/1.1");
    append(head, "Host", url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort()));
    append(head, "Connection", "close");
    append(head, "Accept-Encoding", "identity");
    for (Map.Entry<String, String> header : request.headers().entrySet()) {
      append(head, header.getKey(), header.getValue());
    }
    if (length > 0 || !request.method().equals("GET")) {
      append(head, "Content-Length", Integer.toString(length));
    }
    return head.append("\r\n\r\n").toString();
  }

  private static void append(StringBuilder head, String name, String value)
      throws ProtocolException {
    if (name.chars().anyMatch(c -> c <= ' ' || c == ':') || value.chars().anyMatch(c -> c < ' ')) {
      throw new ProtocolException("The header " + name + " holds a line break or a space");
    }
    head.append("\r\n").append(name).append(": ").append(value);
  }

  private static boolean isTls(URI url) {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  private static int port(URI url) {
    return url.getPort() >= 0 ? url.getPort() : isTls(url) ? 443 : 80;
  }

  /** The bytes of a socket, with each read limited to the remaining time. */
  private static final class DeadlineInputStream extends InputStream {

    private final Socket socket;
    private final InputStream in;
    private final Deadline deadline;

    DeadlineInputStream(Socket socket, Deadline deadline) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
      this.deadline = deadline;
    }

    @Override
    public int read() throws IOException {
      deadline.limit(socket);
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      deadline.limit(socket);
      return in.read(bytes, offset, length);
    }
  }

  /** A reader of a response: by its length, by its chunks, or to the end of the connection. */
  private record Answer(InputStream in, int mostBytes) {

    OutboundClient.Response read(String method) throws IOException {
      int status = status(line());
      Map<String, String> headers = headers();
      while (status >= 100 && status < 200) {
        status = status(line());
        headers = headers();
      }
      boolean bare = method.equals("HEAD") || status == 204 || status == 304;
      return new OutboundClient.Response(status, headers, bare ? "" : body(headers));
    }

    private static int status(String line) throws ProtocolException {
      if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
        throw new ProtocolException("The answer does not begin as HTTP/1.1 does");
      }
      return Integer.parseInt(line.substring(9, 12));
    }

    private Map<String, String> headers() throws IOException {
      Map<String, String> headers = new HashMap<>();
      int size = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        size += line.length();
        int colon = line.indexOf(':');
        if (colon <= 0 || size > MAX_HEADERS) {
          throw new ProtocolException("The headers of the answer are too long or have no colon");
        }
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
      return headers;
    }

    private String body(Map<String, String> headers) throws IOException {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      String length = headers.get("content-length");
      if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
        for (int size = number(line(), 16); size > 0; size = number(line(), 16)) {
          copy(body, size);
          line();
        }
      } else if (length != null) {
        copy(body, number(length, 10));
      } else {
        for (int c = in.read(); c >= 0; c = in.read()) {
          body.write(c);
          checkSize(body.size());
        }
      }
      return body.toString(StandardCharsets.UTF_8);
    }

    private void copy(ByteArrayOutputStream body, int size) throws IOException {
      checkSize((long) body.size() + size);
      for (int i = 0; i < size; i++) {
        body.write(existing(in.read()));
      }
    }

    private void checkSize(long size) throws ProtocolException {
      if (size > mostBytes) {
        throw new ProtocolException("The answer is longer than " + mostBytes + " bytes");
      }
    }

    private static int number(String text, int radix) throws ProtocolException {
      String digits = text.replaceFirst(";.*", "").strip();
      try {
        return Integer.parseUnsignedInt(digits, radix) & Integer.MAX_VALUE;
      } catch (NumberFormatException e) {
        throw new ProtocolException("'" + digits + "' in the answer is not a length");
      }
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = existing(in.read()); c != '\n'; c = existing(in.read())) {
        if (line.length() >= MAX_HEADERS) {
          throw new ProtocolException("A line of the answer is too long");
        }
        line.append((char) c);
      }
      return line.toString().stripTrailing();
    }

    private static int existing(int c) throws EOFException {
      if (c < 0) {
        throw new EOFException("The answer ended early");
      }
      return c;
    }
  }
}
