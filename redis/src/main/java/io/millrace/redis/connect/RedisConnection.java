package io.millrace.redis.connect;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A connection to a server. For one thread at a time, except {@code close}. */
final class RedisConnection implements AutoCloseable {

  private static final int BUFFER = 64 * 1024;

  /** Smaller than the buffer, so that the end of a command is in the buffer before it is sent. */
  private static final int CHUNK = 32 * 1024;

  final RedisUri place;

  /** The server's id of this connection; 0 if it does not tell. */
  long id;

  private final Socket socket;
  private final RespReader in;
  private final OutputStream out;

  /** Number of chunks that were written, and of flushes. */
  private volatile int progress;

  private RedisConnection(RedisUri place, Socket socket) throws IOException {
    this.place = place;
    this.socket = socket;
    this.in = new RespReader(socket.getInputStream());
    this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
  }

  /** Connects, with TLS if the URI asks for it; sends nothing yet. */
  static RedisConnection to(RedisUri place, RedisSettings settings) throws IOException {
    Socket socket = connected(place, Math.toIntExact(settings.connectTimeout().toMillis()));
    try {
      return new RedisConnection(place, place.tls() ? secured(socket, place, settings) : socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Connects to the first address of the host that accepts. */
  private static Socket connected(RedisUri place, int timeout) throws IOException {
    IOException failure = null;
    for (InetAddress address : InetAddress.getAllByName(place.host())) {
      InetSocketAddress target = new InetSocketAddress(address, place.port());
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        // Without it, the close of a TLS socket would wait for a write that hangs.
        socket.setSoLinger(true, 0);
        socket.setSoTimeout(timeout);
        socket.connect(target, timeout);
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = failure == null ? e : failure;
      }
    }
    throw failure == null ? new UnknownHostException(place.host()) : failure;
  }

  private static Socket secured(Socket plain, RedisUri place, RedisSettings settings)
      throws IOException {
    SSLSocketFactory factory =
        settings.tls() == null
            ? (SSLSocketFactory) SSLSocketFactory.getDefault()
            : settings.tls().getSocketFactory();
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, place.host(), place.port(), true);
    SSLParameters checks = socket.getSSLParameters();
    checks.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(checks);
    try {
      socket.startHandshake();
    } catch (SocketTimeoutException e) {
      throw new IOException("it does not answer in TLS; does this port speak it?", e);
    }
    return socket;
  }

  /** Returns true if all received bytes are read. */
  boolean isDrained() {
    return in.isDrained();
  }

  /**
   * Writes commands into the buffer, and what exceeds it to the server.
   *
   * @throws IOException if the server does not get the last byte of the commands
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes
  void write(byte[] commands) throws IOException {
    for (int from = 0; from < commands.length; from += CHUNK) {
      out.write(commands, from, Math.min(CHUNK, commands.length - from));
      progress++;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void flush() throws IOException {
    out.flush();
    progress++;
  }

  /**
   * Returns a number that grows with what is written. If it stays the same during a write, which
   * has no time limit of its own, the server has stopped reading. Any thread may call this.
   */
  int progress() {
    return progress;
  }

  /** Returns the next reply, as {@link RespReader#read} does. */
  @Nullable Object read() throws IOException {
    return in.read();
  }

  /** Sends commands and reads their replies. */
  List<@Nullable Object> exchange(List<List<String>> commands) throws IOException {
    write(RespWriter.bytes(commands));
    flush();
    List<@Nullable Object> replies = new ArrayList<>(commands.size());
    try {
      for (int i = 0; i < commands.size(); i++) {
        replies.add(read());
      }
    } catch (IOException e) {
      // A server that has too many clients, or refuses clients from outside, says so and closes the
      // connection.
      if (!replies.isEmpty() && replies.getFirst() instanceof ErrorReply why) {
        throw new IOException(why.message(), e);
      }
      throw e;
    }
    return replies;
  }

  /** Sets the time limit of later reads. */
  void readTimeout(Duration limit) throws IOException {
    socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, limit.toMillis()));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is not used any more, so a failed close does not matter.
    }
  }
}
