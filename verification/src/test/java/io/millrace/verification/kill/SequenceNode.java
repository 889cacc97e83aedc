package io.millrace.verification.kill;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.Task;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * An engine process with task sequences, whose executions stop at points until it is killed or told
 * to continue. Arguments: the database's URL, the broker's, a mark for its channels, and the gates
 * that are closed. Its input has lines for {@link Gates#command}; its output has {@code AT} and the
 * sequence when an execution has reached its point, and {@code BEGIN}, execution, state, seq and
 * lease version for every attempt of a task.
 */
public final class SequenceNode {

  static final String TYPE = "Report";

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration RENEWAL = Duration.ofMillis(300);

  /** Number of handlers, more than can be stopped at the same time. */
  private static final int HANDLERS = 64;

  private SequenceNode() {}

  /** Returns the channel of a task. */
  static String channel(String task, String mark) {
    return task + "." + mark;
  }

  /** Returns the builder of an engine that knows the tasks. */
  static EngineBuilder builder(
      Store store,
      ChannelTransport transport,
      String mark,
      StopPointInterceptor stopPointInterceptor) {
    EngineBuilder builder =
        Engine.builder()
            .store(store)
            .channels(transport)
            .settings(s ->
                s.concurrency(HANDLERS)
                    .lease(LEASE, RENEWAL)
                    .maxRecoveries(100)
                    .maxSleep(Duration.ofMillis(500))
                    .channelPatience(Duration.ofSeconds(8))
                    .drainGrace(Duration.ofSeconds(5)));
    for (String task : StopPoint.TASKS) {
      builder.task(Task.of(task, TYPE).channel(channel(task, mark)), stopPointInterceptor::handle);
    }
    return builder;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Gates gates = new Gates(args[3]);
    StopPointInterceptor stopPointInterceptor = new StopPointInterceptor(gates);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(8);
    config.setConnectionTimeout(2_000);
    SqlStore store = SqlStore.open(new HikariDataSource(config), SqlStore.Options.DEFAULT);
    RabbitTransport transport =
        RabbitTransport.open(RabbitSettings.of(args[1]).confirmLimit(Duration.ofSeconds(2)));
    Engine engine =
        builder(
                stopPointInterceptor.around(store),
                new StoppingTransport(transport, gates, stopPointInterceptor),
                args[2],
                stopPointInterceptor)
            .interceptor(stopPointInterceptor)
            .listener(stopPointInterceptor)
            .stopWithJvm()
            .start();
    Gates.say("READY " + engine.executorId());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      gates.command(line);
    }
    new CountDownLatch(1).await();
  }
}
