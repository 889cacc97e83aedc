package io.millrace.verification.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.TestDatabase;
import io.millrace.verification.chaos.postgres.PostgresServer;
import io.millrace.verification.chaos.rabbitmq.RabbitServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with one execution at each point of each task of a sequence, after which a node, the broker
 * or the database is killed. Each execution ends, and each of its tasks takes effect once.
 */
@Timeout(300)
@Tag("kills")
class KilledSequencesTest {

  @TempDir private Path folder;

  @Test
  void aKilledNode() throws Exception {
    try (TestDatabase database = TestDatabase.postgres(3);
        KillScenario scene =
            new KillScenario(database.url(), System.getenv("MILLRACE_TEST_RABBITMQ_URI"))) {
      ChildJvm victim = scene.stopped();
      ChildJvm heir = scene.node(Gates.NODE);
      victim.kill();
      KillScenario.command(heir, "OPEN " + Gates.NODE);
      assertThat(scene.outcome()).isEmpty();
    }
  }

  @Test
  void aKilledBroker() throws Exception {
    try (RabbitServer broker = RabbitServer.in(folder)) {
      broker.start();
      try (TestDatabase database = TestDatabase.postgres(3);
          KillScenario scene = new KillScenario(database.url(), broker.uri())) {
        ChildJvm node = scene.stopped();
        for (String queue : scene.queues()) {
          broker.awaitQueueOnDisk(queue);
        }
        broker.kill();
        KillScenario.command(node, "OPEN " + Gates.POINTS);
        broker.start();
        assertThat(scene.outcome()).isEmpty();
      }
    }
  }

  @Test
  void aKilledDatabase() throws Exception {
    // The server's user must be able to reach its folder.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path place = Files.createDirectory(folder.resolve("postgres"));
    try (PostgresServer server = PostgresServer.create(place, 500)) {
      String url = PostgresServer.url(server.port(), "kill");
      try (KillScenario scene =
          new KillScenario(url, System.getenv("MILLRACE_TEST_RABBITMQ_URI"))) {
        ChildJvm node = scene.stopped();
        server.kill();
        KillScenario.command(node, "OPEN " + Gates.POINTS);
        server.start();
        assertThat(scene.outcome()).isEmpty();
      }
    }
  }
}
