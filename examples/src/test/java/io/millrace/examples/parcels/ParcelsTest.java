package io.millrace.examples.parcels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.SampleJob;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParcelsTest {

  /** Database of the shared Redis server that no other test uses. */
  private static final String DATABASE = "/9";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final String uri =
      Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "use script/test")
          + DATABASE;

  @BeforeEach
  @AfterEach
  void empty() {
    try (Redis redis = RedisConnections.open(RedisSettings.of(uri), EngineRuntime.system())) {
      redis.call("FLUSHDB");
    }
  }

  private List<String> printed() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void twoParcelsAreLabelledAndOneFails() throws Exception {
    ParcelsMain.run(uri, out);
    assertThat(printed())
        .containsExactly(
            "teapot has the label 'teapot, 1800 g'",
            "saucer has the label 'saucer, 900 g'",
            "anvil failed in weigh: nobody knows what one anvil weighs",
            "Ann has 2 parcels.");
  }

  @Test
  void aWorkflowWaitsForItsParcel() {
    ShipmentMain.run(uri, out);
    assertThat(printed())
        .containsExactly(
            "sent: teapot has the label 'teapot, 900 g'",
            "cancelled: anvil failed in weigh: nobody knows what one anvil weighs");
  }

  @Test
  void aHandlerIsTestedWithoutRedis() {
    // docs:handler
    Map<String, Object> fields = Map.of("item", "teapot", "grams", 900);
    Job first = SampleJob.of(Parcels.FLOW, "label", fields);
    assertThatThrownBy(() -> Parcels.label(first)).hasMessage("the printer is jammed");
    Job second = SampleJob.of(Parcels.FLOW, "label", fields, 2);
    assertThat(Parcels.label(second)).isEqualTo(JobResult.of("label", "teapot, 900 g").done());
    // docs:end
  }
}
