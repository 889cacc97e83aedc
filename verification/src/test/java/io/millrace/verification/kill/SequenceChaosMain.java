package io.millrace.verification.kill;

import io.millrace.fixtures.ChildJvm;
import io.millrace.verification.chaos.postgres.PostgresServer;
import io.millrace.verification.chaos.rabbitmq.RabbitServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The command {@code script/chaos --sequences}. In every round executions stand at all points of
 * their tasks, and then a node, the broker and the database are killed, alone or together, before
 * and after the executions continue. Arguments: minutes and a seed. Exits with 1 at the first round
 * with a violation.
 */
public final class SequenceChaosMain {

  /** The targets that can be killed. */
  private enum Victim {
    NODE,
    BROKER,
    DATABASE
  }

  /** An action of a round. */
  private interface Action {
    void run() throws Exception;
  }

  private static final int MAX_PAUSE_MILLIS = 1_500;

  private final Random random;
  private final PostgresServer server;
  private final RabbitServer broker;

  private SequenceChaosMain(long seed, PostgresServer server, RabbitServer broker) {
    this.random = new Random(seed);
    this.server = server;
    this.broker = broker;
  }

  public static void main(String[] args) throws Exception {
    Duration length = Duration.ofMillis((long) (Double.parseDouble(args[0]) * 60_000));
    long seed = Long.parseLong(args[1]);
    Path folder =
        Files.createTempDirectory(
            "millrace-kill-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    System.out.println("==> seed " + seed + ", in " + folder);
    Path place = Files.createDirectory(folder.resolve("postgres"));
    boolean held;
    try (PostgresServer server = PostgresServer.create(place, 1_000);
        RabbitServer broker = RabbitServer.in(Files.createDirectory(folder.resolve("broker")))) {
      broker.start();
      held = new SequenceChaosMain(seed, server, broker).rounds(length);
    }
    if (held) {
      delete(folder);
    }
    System.exit(held ? 0 : 1);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private boolean rounds(Duration length) throws Exception {
    long end = System.nanoTime() + length.toNanos();
    for (int round = 1; round == 1 || System.nanoTime() < end; round++) {
      List<String> violations = round(round);
      violations.forEach(violation -> System.out.println("violated: " + violation));
      if (!violations.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private List<String> round(int number) throws Exception {
    Set<Victim> victims = EnumSet.noneOf(Victim.class);
    while (victims.isEmpty()) {
      for (Victim victim : Victim.values()) {
        if (random.nextBoolean()) {
          victims.add(victim);
        }
      }
    }
    String schema = "round" + number;
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    String url = PostgresServer.url(server.port(), "kill") + "&currentSchema=" + schema;
    try (KillScenario scene = new KillScenario(url, broker.uri())) {
      ChildJvm node = scene.stopped();
      ChildJvm heir = victims.contains(Victim.NODE) ? scene.node(Gates.NODE) : null;
      for (String queue : scene.queues()) {
        broker.awaitQueueOnDisk(queue);
      }
      doInAnyOrder(kills(victims, node));
      doInAnyOrder(List.of(broker::restart, server::start));
      if (heir != null) {
        KillScenario.command(heir, "OPEN " + Gates.NODE);
      }
      List<String> violations = scene.outcome();
      System.out.println(
          "==> round " + number + ", killed " + victims + ": " + violations.size() + " violations");
      return violations;
    }
  }

  private List<Action> kills(Set<Victim> victims, ChildJvm node) {
    List<Action> actions = new ArrayList<>();
    for (Victim victim : victims) {
      actions.add(
          switch (victim) {
            case NODE -> node::kill;
            case BROKER -> broker::kill;
            case DATABASE -> server::kill;
          });
    }
    actions.add(() -> {
      if (node.isAlive()) {
        KillScenario.command(node, "OPEN " + Gates.POINTS);
      }
    });
    return actions;
  }

  private void doInAnyOrder(List<Action> actions) throws Exception {
    List<Action> shuffled = new ArrayList<>(actions);
    Collections.shuffle(shuffled, random);
    for (Action action : shuffled) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MILLIS));
      action.run();
    }
  }
}
