package io.millrace.redis.connect;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumer;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.PushMessage;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/** A logged-in connection. For one thread at a time, except {@code close}. */
final class RedisConnection implements AutoCloseable {

  private static final int BUFFER = 64 * 1024;

  /**
   * Chain without push handlers, since the protocol version in use, RESP2, has no push messages.
   */
  private static final PushConsumerChain NO_PUSHES =
      new PushConsumerChain() {
        @Override
        public PushMessage process(PushMessage message) {
          return message;
        }

        @Override
        public List<PushConsumer> getConsumers() {
          return List.of();
        }
      };

  final RedisUri place;
  private final Socket socket;
  private final ReplyStream in;
  private final RedisOutputStream out;

  private RedisConnection(RedisUri redisUri, Socket socket) throws IOException {
    this.place = redisUri;
    this.socket = socket;
    this.in = new ReplyStream(socket.getInputStream(), BUFFER);
    this.out = new RedisOutputStream(socket.getOutputStream(), BUFFER);
  }

  /** Connects, with TLS if the URI asks for it; sends nothing yet. */
  static RedisConnection to(RedisUri redisUri, RedisSettings settings) throws IOException {
    var config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis((int) settings.connectTimeout().toMillis())
            .socketTimeoutMillis((int) settings.connectTimeout().toMillis())
            .build();
    HostAndPort address = new HostAndPort(redisUri.host(), redisUri.port());
    Socket socket;
    try {
      socket = new DefaultJedisSocketFactory(address, config).createSocket();
    } catch (JedisConnectionException e) {
      throw new IOException(reason(e), e);
    }
    try {
      return new RedisConnection(
          redisUri, redisUri.tls() ? secured(socket, redisUri, settings) : socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket secured(Socket plain, RedisUri redisUri, RedisSettings settings)
      throws IOException {
    SSLSocketFactory factory =
        settings.tls() == null
            ? (SSLSocketFactory) SSLSocketFactory.getDefault()
            : settings.tls().getSocketFactory();
    SSLSocket socket =
        (SSLSocket) factory.createSocket(plain, redisUri.host(), redisUri.port(), true);
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

  /** A stream that knows whether the next reply must be waited for. */
  private static final class ReplyStream extends RedisInputStream {
    ReplyStream(InputStream in, int size) {
      super(in, size);
    }

    boolean isDrained() {
      return count >= limit;
    }
  }

  /** True if all received bytes are read. */
  boolean isDrained() {
    return in.isDrained();
  }

  /** Writes a command into the buffer. */
  void write(byte[] command) throws IOException {
    out.write(command, 0, command.length);
  }

  void flush() throws IOException {
    out.flush();
  }

  /** Returns the next reply as the driver returns it; an error is a {@link JedisDataException}. */
  @Nullable Object read() throws IOException {
    try {
      return Protocol.read(in, NO_PUSHES);
    } catch (JedisDataException e) {
      return e;
    } catch (JedisConnectionException e) {
      throw new IOException(reason(e), e);
    }
  }

  /** Sends commands and reads their replies. */
  List<@Nullable Object> exchange(List<List<String>> commands) throws IOException {
    for (List<String> command : commands) {
      write(RespCodec.bytes(command));
    }
    flush();
    List<@Nullable Object> replies = new ArrayList<>(commands.size());
    try {
      for (int i = 0; i < commands.size(); i++) {
        replies.add(read());
      }
    } catch (IOException e) {
      // A server that has too many clients, or refuses clients from outside, says so and closes the
      // connection.
      if (!replies.isEmpty() && replies.getFirst() instanceof JedisDataException why) {
        throw new IOException(RespCodec.message(why), e);
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

  /** Returns the message of the socket's exception, which says more than the driver's wrapper. */
  private static String reason(JedisConnectionException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    // If a host has several addresses, each failed attempt is a suppressed exception.
    if (cause.getSuppressed().length > 0) {
      cause = cause.getSuppressed()[0];
    }
    return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
  }
}
