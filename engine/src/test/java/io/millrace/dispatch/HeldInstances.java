package io.millrace.dispatch;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult.ClaimedData;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Instances as after a claim of executor 1, with lease version 1. */
final class HeldInstances {

  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  private static final WorkflowDefinition ENDING =
      WorkflowDefinition.of("t").start("s", ctx -> Next.done("done")).build();

  private HeldInstances() {}

  /** Returns an instance whose handler would end it. */
  static LeasedInstance of(long id) {
    return of(id, ENDING);
  }

  /** Returns an instance like that of {@link #of(long)} that came with an input. */
  static LeasedInstance withInput(long id, String input) {
    return of(id, ENDING, new ClaimedData(input, Map.of(), List.of(), Map.of()));
  }

  /** Returns an instance in the state {@code s}. */
  static LeasedInstance of(long id, WorkflowDefinition definition) {
    return of(id, definition, ClaimedData.EMPTY);
  }

  private static LeasedInstance of(long id, WorkflowDefinition definition, ClaimedData data) {
    WorkflowInstance instance =
        new WorkflowInstance(
            id,
            new Origin("t", 1, "g", 0, null, null, null),
            new Position("s", InstanceStatus.CREATED, null, 0, NOW, null, null),
            new Lease(1L, 1, 0, 1, 0),
            new InstanceTimestamps(NOW, NOW, NOW, null),
            new ChildCounts(0, 0, 0),
            new InstanceDetails(0, 0, -1, null, null));
    return new LeasedInstance(instance, definition, data, NOW, 0, 0);
  }
}
