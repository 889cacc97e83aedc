package io.millrace.demo.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.demo.Patience;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.ServedFlow;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobView;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the demo's flow, on a private Redis as the demo starts one. */
class FileInventoryTest {

  @TempDir private Path files;
  @TempDir private Path data;

  private static Optional<DemoRedis> redis(Path data, String path) {
    return DemoRedis.local("redis://127.0.0.1:1", data, path, EngineRuntime.system());
  }

  private static String programs() {
    String server = System.getenv("MILLRACE_TEST_REDIS_SERVER");
    Path folder = server == null ? null : Path.of(server).getParent();
    return (folder == null ? "" : folder + File.pathSeparator) + System.getenv("PATH");
  }

  @Test
  @Tag("brokers")
  void filesAreHashedMeasuredAndRecordedAndWhatIsNoTextIsDead() throws Exception {
    Files.writeString(files.resolve("a.txt"), "one\nthree\n");
    Files.write(files.resolve("logo.png"), new byte[] {(byte) 0x89, 'P', (byte) 0xff});
    Files.createDirectories(files.resolve("target"));
    Files.writeString(files.resolve("target/x.txt"), "built");
    FileInventory inventory = new FileInventory(files);
    List<NewJob> jobs = inventory.jobs();
    assertThat(jobs).extracting(NewJob::uniqueKey).containsExactlyInAnyOrder("a.txt", "logo.png");

    try (DemoRedis redis = redis(data, programs()).orElseThrow();
        RedisFlows flows = RedisFlows.connect(RedisSettings.of(redis.uri()))) {
      FlowClient client = flows.register(FileInventory.flow());
      ServedFlow work = inventory.work();
      work.workerPools().forEach(one -> client.workers(one.queue(), one.workers(), one.handler()));
      flows.start();
      for (String id : client.createAll(jobs)) {
        assertThat(client.await(id, Patience.LIMIT)).isTrue();
      }
      JobView text = client.findBy("extension", "txt", false).getFirst();
      assertThat(text.fields().get("sha256").stringValue())
          .isEqualTo("c9b0fb1fa00b3a5ce714c876c35bb18f21eed970d33d9093a3cbd7cf0c9db3dc");
      assertThat(text.fields().get("summary").stringValue()).isEqualTo("10 bytes, 2 lines");
      assertThat(text.fields().get("longestLine").intValue()).isEqualTo(5);
      JobView picture = client.findBy("extension", "png", false).getFirst();
      assertThat(picture.fields().get("failedErrorMsg").stringValue())
          .isEqualTo("logo.png is not text in UTF-8, so it has no lines");
      assertThat(picture.fields().get("failedQueue").stringValue()).isEqualTo("measure");
      assertThat(inventory.recorded()).isEqualTo(1);
    }
  }

  /** A checkout has many more source files than images. */
  @Test
  void aLargeFolderIsRepresentedByFilesOfEachKindInTheSameOrderEachTime() throws Exception {
    for (int i = 0; i < 30; i++) {
      Files.writeString(Files.createDirectories(files.resolve("a" + i)).resolve("A.java"), "x");
    }
    Files.writeString(files.resolve("z.md"), "x");
    Files.write(files.resolve("z.png"), new byte[] {(byte) 0xff});
    FileInventory inventory = new FileInventory(files, 10);

    List<String> paths = inventory.jobs().stream().map(NewJob::uniqueKey).toList();

    assertThat(paths).hasSize(10).doesNotHaveDuplicates().contains("z.md", "z.png");
    assertThat(paths.stream().filter(path -> path.compareTo("a2") > 0 && path.endsWith(".java")))
        .as("source files from everywhere, not only from the first folders")
        .hasSizeBetween(2, 7);
    assertThat(new FileInventory(files, 10).jobs())
        .extracting(NewJob::uniqueKey)
        .containsExactlyElementsOf(paths);
  }

  @Test
  void aFileWithAVeryLongLineCannotBeMeasured() throws IOException {
    Files.writeString(files.resolve("long.md"), "short\n" + "x".repeat(401) + "\n");

    assertThatThrownBy(() -> FileInventory.measure(files.resolve("long.md")))
        .isInstanceOf(IOException.class)
        .hasMessage("long.md has a line of 401 characters; at most 400 can be measured");
  }

  private static boolean answers(String uri) {
    try (Redis redis =
        RedisConnections.open(
            RedisSettings.of(uri).timeout(Duration.ofMillis(300)), EngineRuntime.system())) {
      return "PONG".equals(redis.call("PING"));
    } catch (RedisUnavailableException e) {
      return false;
    }
  }

  @Test
  @Tag("brokers")
  void aPrivateRedisEndsWithTheDemoAndIsTakenOverFromOneThatWasKilled() {
    DemoRedis killed = redis(data, programs()).orElseThrow();
    assertThat(killed.shown()).isEqualTo("a Redis of its own");
    assertThat(
            ProcessHandle.current().descendants().map(one -> one.info().commandLine().orElse("")))
        .as("a Ctrl-C in the terminal does not reach it")
        .noneMatch(command -> command.contains("redis-server") || command.contains("valkey"));
    DemoRedis next = redis(data, programs()).orElseThrow();
    assertThat(next.uri()).isEqualTo(killed.uri());
    next.close();
    assertThat(answers(killed.uri())).isFalse();
    killed.close();
  }

  /** Another program may use the port of an earlier demo. */
  @Test
  @Tag("brokers")
  void theRedisOfAnotherFolderIsNeitherTakenNorEnded() throws IOException {
    try (DemoRedis other = redis(files, programs()).orElseThrow()) {
      Files.createDirectories(data.resolve("redis"));
      Files.writeString(data.resolve("redis/address"), other.uri());
      try (DemoRedis own = redis(data, programs()).orElseThrow()) {
        assertThat(own.uri()).isNotEqualTo(other.uri());
      }
      assertThat(answers(other.uri())).isTrue();
    }
  }

  @Test
  void withoutARedisThereIsNone() throws IOException {
    assertThat(redis(data, "")).isEmpty();
    assertThat(redis(data, files.toString())).isEmpty();
    assertThat(DemoRedis.find("redis://u:secret@h/1", data, null, EngineRuntime.system()))
        .hasValueSatisfying(redis -> {
          assertThat(redis.uri()).isEqualTo("redis://u:secret@h/1");
          assertThat(redis.shown()).isEqualTo("redis://h/1");
        });
  }
}
