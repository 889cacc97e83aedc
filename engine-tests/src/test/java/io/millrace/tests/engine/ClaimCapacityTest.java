package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.fixtures.FaultyStore;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ClaimRequest;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that concurrent claims do not bring more instances than the engine has room for. */
class ClaimCapacityTest extends EngineFixture {

  private static final int HANDLERS = 2;

  private final List<Integer> held = new ArrayList<>();
  private final List<Long> ids = new ArrayList<>();
  private FaultyStore store;

  @BeforeEach
  void begin() {
    EngineSettings settings = ManualEngine.defaultSettings().concurrency(HANDLERS).queueSize(0);
    run(
        settings,
        clock -> {
          store = new FaultyStore(new MemoryStore(clock));
          return store;
        },
        job(
                ctx -> {
                  held.add(engine.engine().leasedInstanceCount());
                  return Next.moveTo("end", "done");
                })
            .build());
  }

  private void startAll(StartRequest request) {
    client().startAll(Collections.nCopies(HANDLERS, request)).stream()
        .map(StartedInstance::id)
        .forEach(ids::add);
  }

  private void assertBounded() {
    engine.runUntilIdle();
    assertThat(ids).hasSize(2 * HANDLERS);
    assertThat(ids).allMatch(id -> status(id) == InstanceStatus.FINISHED);
    assertThat(held).hasSize(2 * HANDLERS).allMatch(count -> count <= HANDLERS);
  }

  @Test
  void startsDuringAClaimAreNotHandedOverBeyondTheRoomThatTheClaimLeaves() {
    startAll(StartRequest.of("job").after(Duration.ofSeconds(1)));
    engine.clock().advance(Duration.ofSeconds(1));
    store.beforeReply("claim", args -> true, () -> startAll(StartRequest.of("job")));
    assertBounded();
  }

  @Test
  void nothingIsClaimedIntoTheRoomThatAStartHasReserved() {
    List<Integer> limits = new ArrayList<>();
    startAll(StartRequest.of("job").after(Duration.ofSeconds(1)));
    engine.clock().advance(Duration.ofSeconds(1));
    store.watch("claim", args -> limits.add(((ClaimRequest) args[0]).limit()));
    store.beforeReply(
        "start",
        args -> true,
        () -> {
          engine.runDue();
          assertThat(limits).isEmpty();
        });
    startAll(StartRequest.of("job"));
    assertBounded();
    assertThat(limits).isNotEmpty().allMatch(limit -> limit <= HANDLERS);
  }
}
