package io.millrace.dispatch;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import io.millrace.store.LoadLimits;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A factory of leased instances from claimed ones. Instances that cannot be run are parked. */
final class LeasedInstanceFactory {

  private final EngineContext engine;
  private final UnrunnableInstances unrunnableInstances;

  LeasedInstanceFactory(EngineContext engine) {
    this.engine = engine;
    this.unrunnableInstances = new UnrunnableInstances(engine);
  }

  /**
   * Returns the leased instance; null if it cannot be run.
   *
   * @param now the database's time of the claim
   * @param requestedNanos the monotonic time before the claim was sent
   */
  @Nullable LeasedInstance create(ClaimResult.Claimed claimed, Instant now, long requestedNanos) {
    WorkflowInstance instance = claimed.instance();
    if (claimed.tooLarge()) {
      unrunnableInstances.park(
          instance,
          "its data are too large to be loaded: the input, the variables or the step results have"
              + " more than "
              + (LoadLimits.instanceBytes(engine.maxClaimBytes()) >> 20)
              + " MiB; remove variables, or give the process a larger heap, then retry it");
      return null;
    }
    try {
      return new LeasedInstance(
          instance,
          definitionOf(instance),
          claimed.data(),
          now,
          requestedNanos,
          engine.clock().nanoTime());
    } catch (RuntimeException e) {
      unrunnableInstances.park(instance, "its row cannot be run: " + ThrowableFormatter.summary(e));
      return null;
    }
  }

  private WorkflowDefinition definitionOf(WorkflowInstance instance) {
    WorkflowDefinition definition = engine.definitions().find(instance.type(), instance.version());
    if (definition == null) {
      throw new IllegalStateException(
          "it is of workflow '"
              + instance.type()
              + "' version "
              + instance.version()
              + ", but with the number of another definition");
    }
    return definition;
  }
}
