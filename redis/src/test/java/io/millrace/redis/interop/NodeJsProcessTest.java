package io.millrace.redis.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the package's own behavior, so that the other tests can rely on it. */
@Tag("interop")
class NodeJsProcessTest {

  private static final Map<String, Object> TWO_STEPS =
      Map.of(
          "name", "trip",
          "lookup", List.of("user"),
          "queues",
              List.of(
                  Map.of(
                      "queueName", "pack", "attributesToGet", List.of("n"), "nextQueueName", "go"),
                  Map.of("queueName", "go", "attributesToGet", List.of("packed"))));

  @Test
  void aJobGoesThroughTheQueuesOfTheUnmodifiedPackage() {
    try (RedisProcess redis = RedisProcess.start();
        NodeJsProcess node = NodeJsProcess.start(redis.uri())) {
      node.call("flow", TWO_STEPS);
      node.call("workers", worker("pack", Map.of("kind", "answer", "result", Map.of("packed", 2))));
      node.call("workers", worker("go", Map.of("kind", "answer", "result", Map.of("done", true))));

      String id =
          node.call("create", Map.of("flow", "trip", "fields", Map.of("n", 1, "user", "Zoë")))
              .asString();

      assertThat(node.awaitJob("go", id).path("job").path("packed").asInt()).isEqualTo(2);
      assertThat(
              node.call("find", Map.of("flow", "trip", "attribute", "user", "value", "Zoë"))
                  .path(0)
                  .path("n")
                  .asInt())
          .isEqualTo(1);
    }
  }

  @Test
  void aKilledProcessAnswersNoCommand() {
    try (RedisProcess redis = RedisProcess.start();
        NodeJsProcess node = NodeJsProcess.start(redis.uri())) {
      node.kill();

      assertThatThrownBy(() -> node.call("flow", TWO_STEPS)).isInstanceOf(AssertionError.class);
    }
  }

  private static Map<String, Object> worker(String queue, Map<String, Object> behaviour) {
    return Map.of("flow", "trip", "queue", queue, "count", 1, "block", 1, "behaviour", behaviour);
  }
}
