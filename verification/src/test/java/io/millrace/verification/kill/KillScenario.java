package io.millrace.verification.kill;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.instance.OperatorAction;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.kill.SequenceFacts.AttemptStart;
import io.millrace.verification.kill.StopPoint.Point;
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

/**
 * A scenario with nodes whose executions are stopped at every point, and with the conditions that
 * must hold in the end.
 */
final class KillScenario implements AutoCloseable {

  private static final OperatorAction ACTION = OperatorAction.by("ann", "because");

  private static final String OPEN_ENDS =
      """
      SELECT (SELECT count(*) FROM millrace_instance WHERE ended_at IS NULL)
        + (SELECT count(*) FROM millrace_slot_record WHERE NOT end_recorded)
      """;

  /**
   * Statement that makes messages due at once; without it, a message claimed by a dead sender would
   * wait for a minute.
   */
  private static final String MINUTE_LATER =
      "UPDATE millrace_outbox SET due_at = now() WHERE due_at > now()";

  private final String url;
  private final String uri;
  private final String mark = UUID.randomUUID().toString();
  private final List<StopPoint> stops = StopPoint.all();
  private final List<ChildJvm> nodes = new ArrayList<>();
  private final HikariDataSource pool;
  private final RabbitTransport transport;
  private final Engine client;

  /**
   * @param url URL of the database
   * @param uri URI of the broker
   */
  KillScenario(String url, String uri) {
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
                new StopPointInterceptor(new Gates("")))
            .settings(s -> s.runsInstances(false))
            .start();
    for (StopPoint stopPoint : stops) {
      TaskSequence sequence =
          TaskSequence.of(stopPoint.sequenceId(), SequenceNode.TYPE, Schedule.of(Frequency.DAILY))
              .active(false);
      for (String task : StopPoint.TASKS) {
        sequence = sequence.task(task);
      }
      client.sequences().add(sequence);
    }
  }

  /** Starts a node and returns when it takes part. */
  ChildJvm node(String closed) throws IOException, InterruptedException {
    ChildJvm node = ChildJvm.start(SequenceNode.class, url, uri, mark, closed);
    nodes.add(node);
    node.await(1, "READY");
    return node;
  }

  /** Starts a node and returns when an execution is stopped at every point. */
  ChildJvm stopped() throws IOException, InterruptedException {
    ChildJvm node = node(String.join(",", Gates.POINTS, Gates.WAIT, Gates.BETWEEN));
    List<StopPoint> direct =
        only(stopPoint -> stopPoint.point() != Point.FIRED && !stopPoint.isSending());
    run(direct);
    List<StopPoint> waiting = only(StopPoint::waits);
    run(only(stopPoint -> stopPoint.isSending() && stopPoint.waits()));
    awaitAt(node, only(stopPoint -> direct.contains(stopPoint) && !stopPoint.waits()));
    node.await(waiting.size(), line -> line.matches("HELD (wait|between)"));

    // Both kinds of messages in one batch, so that the single sending thread stops at both points.
    command(node, "CLOSE " + Gates.SEND);
    node.await(1, "HELD " + Gates.SEND);
    command(node, "OPEN " + Gates.WAIT);
    run(only(stopPoint -> stopPoint.isSending() && !stopPoint.waits()));
    for (StopPoint stopPoint : only(s -> s.isSending() && s.waits())) {
      node.await(1, "SAVED " + stopPoint.waitsIn() + " " + stopPoint.sequenceId());
    }
    command(node, "OPEN " + Gates.SEND);
    awaitAt(node, only(StopPoint::isSending));

    command(node, "OPEN " + Gates.BETWEEN);
    awaitAt(node, only(stopPoint -> stopPoint.point() == Point.BETWEEN));
    List<StopPoint> fired = only(stopPoint -> stopPoint.point() == Point.FIRED);
    fired.forEach(stopPoint -> client.sequences().requestRun(stopPoint.sequenceId(), ACTION));
    awaitAt(node, fired);
    return node;
  }

  private List<StopPoint> only(Predicate<StopPoint> condition) {
    return stops.stream().filter(condition).toList();
  }

  private void run(Collection<StopPoint> some) {
    some.forEach(stopPoint -> client.sequences().run(stopPoint.sequenceId(), Map.of(), ACTION));
  }

  private static void awaitAt(ChildJvm node, Collection<StopPoint> some)
      throws InterruptedException {
    for (StopPoint stopPoint : some) {
      node.await(1, line -> line.equals("AT " + stopPoint.sequenceId()));
    }
  }

  static void command(ChildJvm node, String line) throws IOException, InterruptedException {
    node.tell(line);
    node.await(1, "DONE " + line);
  }

  /** Returns the queues of all tasks. */
  List<String> queues() {
    return StopPoint.TASKS.stream()
        .map(task -> SequenceNode.channel(task, mark).replace('.', '_'))
        .toList();
  }

  /** Waits until everything has ended, stops all nodes, and returns the violations. */
  List<String> outcome() throws Exception {
    ConditionPoller.await("all executions end", () -> number(OPEN_ENDS) == 0);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(MINUTE_LATER);
    }
    ConditionPoller.await(
        "no message is left", () -> number("SELECT count(*) FROM millrace_outbox") == 0);
    for (String task : StopPoint.TASKS) {
      String channel = SequenceNode.channel(task, mark);
      ConditionPoller.await("no message waits in " + channel, () -> ready(channel) == 0);
    }
    List<AttemptStart> begins = new ArrayList<>();
    for (ChildJvm node : nodes) {
      if (node.isAlive()) {
        node.terminate();
      }
      begins.addAll(AttemptStart.read(node.seen()));
    }
    List<QueueStatus> channels = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url)) {
      for (String task : StopPoint.TASKS) {
        channels.add(depth(SequenceNode.channel(task, mark)));
      }
      return SequenceChecks.violations(
          StopPoint.TASKS,
          stops.stream().map(StopPoint::sequenceId).toList(),
          SequenceFacts.read(connection, begins, channels));
    }
  }

  /**
   * Returns the number of messages that are ready; -1 until it is known. Nodes that have lost the
   * broker reconnect for them.
   */
  private long ready(String channel) {
    try {
      return transport.queueStatus(channel).ready();
    } catch (ChannelException e) {
      return -1;
    }
  }

  /**
   * Returns the status of a queue after its consumers have gone, because a lost connection returns
   * its messages to the queue with a delay.
   */
  private QueueStatus depth(String channel) throws Exception {
    AtomicReference<QueueStatus> depth = new AtomicReference<>();
    ConditionPoller.await(
        "nobody receives from " + channel,
        () -> {
          try {
            depth.set(transport.queueStatus(channel));
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
