package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.jobs.JobView;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/build-a-queue-pipeline.md}. */
class PipelineRecipeTest {

  /** A database of the shared server that no other test uses. */
  private static final String DATABASE = "/10";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final RedisSettings settings =
      RedisSettings.of(
          Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "use script/test")
              + DATABASE);
  private final AtomicInteger failures = new AtomicInteger();

  @BeforeEach
  @AfterEach
  void empty() {
    try (Redis redis = RedisConnections.open(settings, EngineRuntime.system())) {
      redis.call("FLUSHDB");
    }
  }

  // docs:flow
  static final Flow PICTURES =
      Flow.of(
          "pictures",
          Queue.of("fetch").fields("url").next("shrink"),
          Queue.of("shrink").fields("url", "bytes").next("publish"),
          Queue.of("publish")
              .fields("thumbnail")
              .policy(
                  QueuePolicy.standard()
                      .retry(RetryPolicy.fixed(Duration.ofMillis(20)).maxAttempts(3))));

  private FlowClient serve(RedisFlows flows) {
    FlowClient pictures = flows.register(PICTURES);
    pictures.workers("fetch", 4, job -> JobResult.of("bytes", size(job.get("url", String.class))));
    pictures.workers(
        "shrink", 2, job -> JobResult.of("thumbnail", job.get("bytes", Integer.class) / 10));
    pictures.workers(
        "publish",
        1,
        job -> JobResult.of("address", publish(job.get("thumbnail", Integer.class))).done());
    flows.start();
    return pictures;
  }

  // docs:end

  private static int size(String url) {
    return url.length() * 100;
  }

  private String publish(int thumbnail) {
    if (failures.getAndDecrement() > 0) {
      throw new IllegalStateException("the server is away");
    }
    return "/t/" + thumbnail;
  }

  private List<JobView> run(int count) throws Exception {
    try (RedisFlows flows = RedisFlows.connect(settings)) {
      FlowClient pictures = serve(flows);
      List<String> ids =
          IntStream.rangeClosed(1, count)
              .mapToObj(i -> pictures.create(Map.of("url", "a".repeat(i))))
              .toList();
      for (String id : ids) {
        pictures.await(id, PATIENCE);
      }
      return ids.stream().map(pictures::get).toList();
    }
  }

  @Test
  void eachPictureGoesThroughAllStages() throws Exception {
    assertThat(run(20))
        .extracting(job -> job.field("address").orElseThrow().asString())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 20).mapToObj(i -> "/t/" + i * 10).toList());
  }

  @Test
  void aStageThatFailsIsRetried() throws Exception {
    failures.set(2);
    assertThat(run(1).getFirst().field("address").orElseThrow().asString()).isEqualTo("/t/10");
  }

  @Test
  void aStageThatFailsThreeTimesFailsTheJob() throws Exception {
    failures.set(3);
    assertThat(run(1).getFirst().hasFailed()).isTrue();
  }
}
