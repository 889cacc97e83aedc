package io.millrace.verification.kill;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.instance.Deed;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport.Depth;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.kill.SequenceFacts.Begin;
import io.millrace.verification.kill.Stop.Point;
import io.millrace.verification.process.ChildJvm;
import io.millrace.verification.process.Poll;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Nodes with executions that are stopped at every point, and what must hold in the end. */
final class KillScene implements AutoCloseable {

  private static final Deed DEED = Deed.by("ann", "because");

  private static final String OPEN_ENDS =
      """
      SELECT (SELECT count(*) FROM millrace_workflow WHERE ended IS NULL)
        + (SELECT count(*) FROM millrace_schedule_fire WHERE unsettled)
      """;

  /** What a sender had taken that is no more would be looked at again in a minute. */
  private static final String MINUTE_LATER =
      "UPDATE millrace_outbox SET due = now() WHERE due > now()";

  private final String url;
  private final String uri;
  private final String mark = UUID.randomUUID().toString();
  private final List<Stop> stops = Stop.all();
  private final List<ChildJvm> nodes = new ArrayList<>();
  private final HikariDataSource pool;
  private final RabbitTransport transport;
  private final Engine client;

  /**
   * @param url the database's
   * @param uri the broker's
   */
  KillScene(String url, String uri) {
    this.url = url;
    this.uri = uri;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(3);
    this.pool = new HikariDataSource(config);
    this.transport = RabbitTransport.open(RabbitSettings.of(uri));
    this.client =
        SequenceNode.builder(
                SqlStore.open(pool, SqlStore.Options.DEFAULT),
                transport,
                mark,
                new Stops(new Gates("")))
            .settings(s -> s.autostart(false))
            .start();
    for (Stop stop : stops) {
      TaskSequence sequence =
          TaskSequence.of(stop.workflowId(), SequenceNode.TYPE, Schedule.of(Frequency.DAILY))
              .active(false);
      for (String task : Stop.TASKS) {
        sequence = sequence.task(task);
      }
      client.sequences().add(sequence);
    }
  }

  /** Starts a node; returns when it takes part. */
  ChildJvm node(String closed) throws IOException, InterruptedException {
    ChildJvm node = ChildJvm.start(SequenceNode.class, url, uri, mark, closed);
    nodes.add(node);
    node.await(1, "READY");
    return node;
  }

  /** A node on which an execution has come to a stop at every point. */
  ChildJvm stopped() throws IOException, InterruptedException {
    ChildJvm node = node(String.join(",", Gates.POINTS, Gates.WAIT, Gates.BETWEEN));
    List<Stop> direct = only(stop -> stop.point() != Point.FIRED && !stop.isSending());
    run(direct);
    List<Stop> waiting = only(Stop::waits);
    run(only(stop -> stop.isSending() && stop.waits()));
    awaitAt(node, only(stop -> direct.contains(stop) && !stop.waits()));
    node.await(waiting.size(), line -> line.matches("HELD (wait|between)"));

    // Both kinds of messages in one batch, so that the one thread that sends stops at both points.
    command(node, "CLOSE " + Gates.SEND);
    node.await(1, "HELD " + Gates.SEND);
    command(node, "OPEN " + Gates.WAIT);
    run(only(stop -> stop.isSending() && !stop.waits()));
    for (Stop stop : only(s -> s.isSending() && s.waits())) {
      node.await(1, "SAVED " + stop.waitsIn() + " " + stop.workflowId());
    }
    command(node, "OPEN " + Gates.SEND);
    awaitAt(node, only(Stop::isSending));

    command(node, "OPEN " + Gates.BETWEEN);
    awaitAt(node, only(stop -> stop.point() == Point.BETWEEN));
    List<Stop> fired = only(stop -> stop.point() == Point.FIRED);
    fired.forEach(stop -> client.sequences().runImmediately(stop.workflowId()));
    awaitAt(node, fired);
    return node;
  }

  private List<Stop> only(Predicate<Stop> condition) {
    return stops.stream().filter(condition).toList();
  }

  private void run(Collection<Stop> some) {
    some.forEach(stop -> client.sequences().runNow(stop.workflowId(), Map.of(), DEED));
  }

  private static void awaitAt(ChildJvm node, Collection<Stop> some) throws InterruptedException {
    for (Stop stop : some) {
      node.await(1, line -> line.equals("AT " + stop.workflowId()));
    }
  }

  static void command(ChildJvm node, String line) throws IOException, InterruptedException {
    node.tell(line);
    node.await(1, "DONE " + line);
  }

  /** The queues of all tasks. */
  List<String> queues() {
    return Stop.TASKS.stream()
        .map(task -> SequenceNode.channel(task, mark).replace('.', '_'))
        .toList();
  }

  /** Waits until everything has ended, ends all nodes, and answers with what does not hold. */
  List<String> outcome() throws Exception {
    Poll.until("all executions end", () -> number(OPEN_ENDS) == 0);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(MINUTE_LATER);
    }
    Poll.until("no message is left", () -> number("SELECT count(*) FROM millrace_outbox") == 0);
    for (String task : Stop.TASKS) {
      String channel = SequenceNode.channel(task, mark);
      Poll.until("no message waits in " + channel, () -> ready(channel) == 0);
    }
    List<Begin> begins = new ArrayList<>();
    for (ChildJvm node : nodes) {
      if (node.isAlive()) {
        node.terminate();
      }
      begins.addAll(Begin.read(node.seen()));
    }
    List<Depth> channels = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url)) {
      for (String task : Stop.TASKS) {
        channels.add(depth(SequenceNode.channel(task, mark)));
      }
      return SequenceChecks.violations(
          Stop.TASKS,
          stops.stream().map(Stop::workflowId).toList(),
          SequenceFacts.read(connection, begins, channels));
    }
  }

  /** Nodes that have lost the broker come back for what waits there; -1 until it is known. */
  private long ready(String channel) {
    try {
      return transport.depth(channel).ready();
    } catch (ChannelException e) {
      return -1;
    }
  }

  /** What a lost connection gives back to its queue is there a moment later. */
  private Depth depth(String channel) throws Exception {
    AtomicReference<Depth> depth = new AtomicReference<>();
    Poll.until(
        "nobody receives from " + channel,
        () -> {
          try {
            depth.set(transport.depth(channel));
            return depth.get().consumers() == 0;
          } catch (ChannelException e) {
            return false;
          }
        });
    return depth.get();
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() {
    nodes.forEach(ChildJvm::close);
    client.close();
    transport.close();
    pool.close();
  }
}
