package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a server that accepts connections and then does not read. */
class UnreadCommandsTest {

  /** More than the buffers of both sides can hold. */
  static final String LONG = "x".repeat(32 * 1024 * 1024);

  /** Replies to HELLO, SELECT, CLIENT SETNAME, PING and CLIENT ID. */
  private static final String HANDSHAKE = "+OK\r\n+OK\r\n+OK\r\n+PONG\r\n:7\r\n";

  private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final List<Socket> accepted = new ArrayList<>();
  private final BlockingQueue<Duration> delays = new LinkedBlockingQueue<>();
  private final BlockingQueue<Runnable> timers = new LinkedBlockingQueue<>();
  private final PipelinedRedis redis =
      new PipelinedRedis(
          RedisSettings.of("redis://127.0.0.1:" + server.getLocalPort())
              .connectTimeout(Patience.LIMIT)
              .timeout(Patience.LIMIT),
          new Random(1),
          Duration.ofHours(1),
          (delay, task) -> {
            delays.add(delay);
            timers.add(task);
          });

  UnreadCommandsTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    redis.close();
    for (Socket socket : accepted) {
      socket.close();
    }
    server.close();
  }

  /** Accepts a connection, answers its handshake, and reads nothing. */
  static Socket accept(ServerSocket server) throws IOException {
    return accept(server, HANDSHAKE);
  }

  private static Socket accept(ServerSocket server, String replies) throws IOException {
    Socket socket = server.accept();
    socket.getOutputStream().write(replies.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private Socket accept(String replies) throws IOException {
    Socket socket = accept(server, replies);
    accepted.add(socket);
    return socket;
  }

  private FutureTask<Object> pipelined(List<List<String>> commands) {
    FutureTask<Object> call = new FutureTask<>(() -> redis.pipelined(commands));
    Thread.ofVirtual().start(call);
    return call;
  }

  /** Lets the time run out until the call has failed, and returns its exception. */
  private RedisUnavailableException failure(FutureTask<Object> call) throws Exception {
    Thread time =
        Thread.ofVirtual()
            .start(() -> {
              try {
                while (true) {
                  timers.take().run();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the call has ended
              }
            });
    try {
      throw new AssertionError(
          "It was answered: " + call.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return (RedisUnavailableException) e.getCause();
    } finally {
      time.interrupt();
      time.join();
    }
  }

  @Test
  void aCommandThatIsNotReadIsNotExecutedAndTheNextOneHasANewConnection() throws Exception {
    FutureTask<Object> call = pipelined(List.of(List.of("SET", "k", LONG)));
    accept(HANDSHAKE);

    RedisUnavailableException failure = failure(call);

    assertThat(failure.unexecuted()).isTrue();
    assertThat(failure).hasMessageContaining("did not read the whole command");
    assertThat(delays).containsOnly(Patience.LIMIT);
    FutureTask<Object> next = pipelined(List.of(List.of("PING")));
    accept(HANDSHAKE + "+PONG\r\n");
    assertThat(next.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(List.of("PONG"));
  }

  @Test
  void theFirstOfSeveralCommandsMayHaveBeenExecuted() throws Exception {
    FutureTask<Object> call =
        pipelined(List.of(List.of("SET", "a", "1"), List.of("SET", "b", LONG)));
    accept(HANDSHAKE);

    RedisUnavailableException failure = failure(call);

    assertThat(failure.unexecuted()).isFalse();
    assertThat(failure).hasMessageContaining("unknown whether it executed the command");
  }

  @Test
  void aTransactionWithoutItsEndIsNotExecuted() throws Exception {
    FutureTask<Object> call =
        new FutureTask<>(
            () -> redis.transaction(List.of(List.of("SET", "a", "1"), List.of("SET", "b", LONG))));
    Thread.ofVirtual().start(call);
    accept(HANDSHAKE);

    assertThat(failure(call).unexecuted()).isTrue();
  }

  /** A request that waits behind the one that is not read is sent over the next connection. */
  @Test
  void theRequestBehindIsSentLater() throws Exception {
    FutureTask<Object> call = pipelined(List.of(List.of("SET", "k", LONG)));
    accept(HANDSHAKE);
    Runnable timer = timers.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(timer).isNotNull(); // the long write has begun
    FutureTask<Object> behind = pipelined(List.of(List.of("PING")));
    timers.add(timer);

    assertThat(failure(call).unexecuted()).isTrue();
    accept(HANDSHAKE + "+PONG\r\n");
    assertThat(behind.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(List.of("PONG"));
  }

  @Test
  void aWriteThatIsOverIsLeftAlone() throws Exception {
    FutureTask<Object> call = pipelined(List.of(List.of("PING")));
    Socket socket = accept(HANDSHAKE + "+PONG\r\n");
    assertThat(call.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(List.of("PONG"));

    assertThat(timers).isNotEmpty();
    for (Runnable timer : timers) {
      timer.run();
    }

    FutureTask<Object> next = pipelined(List.of(List.of("PING")));
    socket.getOutputStream().write("+PONG\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(next.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(List.of("PONG"));
  }
}
