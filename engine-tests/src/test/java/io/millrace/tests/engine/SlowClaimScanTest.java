package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.FaultyStore;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.store.ClaimRequest;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests with claim scans from the start that take half a second, as they do when the table starts
 * with many rows that cannot be claimed.
 */
class SlowClaimScanTest {

  private static final Duration SLOW = Duration.ofMillis(500);

  private final List<Boolean> fromTheBeginning = new ArrayList<>();
  private SettableClock clock;

  private final WorkflowDefinition job =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();

  private final ManualEngine engine =
      ManualEngine.with(
          ManualEngine.defaultSettings(),
          c -> {
            clock = c;
            FaultyStore store = new FaultyStore(new MemoryStore(c));
            store.watch("claim", args -> look((ClaimRequest) args[0]));
            return store;
          },
          job);

  private void look(ClaimRequest request) {
    fromTheBeginning.add(request.dueFrom().isEmpty());
    if (request.dueFrom().isEmpty()) {
      clock.advance(SLOW);
    }
  }

  private InstanceStatus status(long id) {
    return engine.client().get(id).status();
  }

  @Test
  void mostLooksBeginWhereTheLastOneFromTheBeginningEndedAndFindWhatFallsDue() {
    for (int i = 0; i < 30; i++) {
      long id = engine.client().start(StartRequest.of("job").after(Duration.ofMillis(50))).id();
      engine.advance(Duration.ofMillis(100));
      assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    }

    assertThat(fromTheBeginning).filteredOn(is -> !is).hasSizeGreaterThan(20);
  }

  @Test
  void whatIsDueSinceLongAgoIsFoundByTheNextLookFromTheBeginning() {
    long id = engine.client().start(StartRequest.of("job").after(Duration.ofMillis(1))).id();
    engine.client().pause(id, OperatorAction.by("test", "not yet"));
    engine.advance(Duration.ofHours(1));
    engine.client().resume(id, OperatorAction.by("test", "now"));

    engine.advance(SLOW.multipliedBy(20));

    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }
}
