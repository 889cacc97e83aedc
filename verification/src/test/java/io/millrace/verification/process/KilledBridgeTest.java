package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.verification.process.BridgeProcess.KillPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests in which a process dies at each point between a job and a workflow, and another one
 * completes both: one instance exists, with one job.
 */
@Timeout(300)
@Tag("kills")
class KilledBridgeTest {

  private final String mark = "k" + UUID.randomUUID().toString().substring(0, 8);

  private static String redis() {
    return Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "needs a Redis");
  }

  @ParameterizedTest
  @EnumSource(value = KillPoint.class, names = "NEVER", mode = EnumSource.Mode.EXCLUDE)
  void whatOneProcessHadBegunAnotherEndsOnce(KillPoint killPoint) throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        RedisFlows flows = RedisFlows.connect(RedisSettings.of(redis()));
        Engine engine = onlooker(database)) {
      FlowClient orders = flows.register(BridgeProcess.orders(mark));
      FlowClient boxes = flows.register(BridgeProcess.boxes(mark));
      String order = orders.create(Map.of());
      List<String> worked = new ArrayList<>();
      try (ChildJvm victim = start(database, killPoint)) {
        assertThat(victim.exitCode())
            .as(() -> victim.seen().toString())
            .isEqualTo(BridgeProcess.EXIT_CODE);
        worked.addAll(victim.seen());
      }
      try (ChildJvm heir = start(database, KillPoint.NEVER)) {
        heir.await(1, "READY");
        assertThat(orders.await(order, Patience.LIMIT)).isTrue();
        WorkflowInstance instance = instance(engine);
        assertThat(engine.client().await(instance.id(), Patience.LIMIT).status())
            .isEqualTo(InstanceStatus.FINISHED);
        JobView job = orders.get(order);
        assertThat(job.fields().get("workflow").longValue()).isEqualTo(instance.id());
        worked.addAll(heir.seen());
      }
      List<String> work = worked.stream().filter(line -> line.startsWith("WORK")).toList();
      assertThat(work).hasSize(killPoint == KillPoint.IN_THE_JOB ? 2 : 1);
      assertThat(work.stream().distinct()).hasSize(1);
      String box = work.getFirst().substring("WORK ".length());
      assertThat(keys(flows, "job:" + boxes.flow().name() + ":*"))
          .containsExactly("job:" + boxes.flow().name() + ":" + box);
      assertThat(boxes.isFinished(box)).isTrue();
      clean(flows);
    }
  }

  private ChildJvm start(TestDatabase database, KillPoint killPoint) throws Exception {
    return ChildJvm.start(BridgeProcess.class, database.url(), redis(), mark, killPoint.name());
  }

  private static WorkflowInstance instance(Engine engine) {
    return engine.client().search(InstanceQuery.all().type(BridgeProcess.TYPE)).items().stream()
        .reduce((one, other) -> {
          throw new AssertionError("Two instances: " + one.id() + " and " + other.id());
        })
        .orElseThrow();
  }

  /** Returns an engine that runs no handlers. */
  private static Engine onlooker(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(
            WorkflowDefinition.of(BridgeProcess.TYPE)
                .start("pack", ctx -> Next.moveTo("packed", "never here"))
                .end("packed")
                .build())
        .settings(s -> s.runsInstances(false))
        .start();
  }

  private static List<String> keys(RedisFlows flows, String pattern) {
    return ((List<?>) flows.redis().call("KEYS", pattern)).stream().map(String::valueOf).toList();
  }

  private void clean(RedisFlows flows) {
    keys(flows, "*" + mark + "*").forEach(key -> flows.redis().call("UNLINK", key));
    flows
        .redis()
        .call(
            "HDEL",
            MillraceKeys.flows(),
            BridgeProcess.orders(mark).name(),
            BridgeProcess.boxes(mark).name());
  }
}
