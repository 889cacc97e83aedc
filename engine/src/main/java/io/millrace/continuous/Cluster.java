package io.millrace.continuous;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.extension.Data;
import io.millrace.extension.EngineExtension;
import io.millrace.extension.EnginePart;
import io.millrace.extension.EngineServices;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The feature of rollouts and recycles of executors. Immutable. */
public final class Cluster implements EngineExtension {

  private final boolean runs;
  private final @Nullable RecycleSettings recycling;

  private Cluster(boolean runs, @Nullable RecycleSettings recycling) {
    this.runs = runs;
    this.recycling = recycling;
  }

  /**
   * Returns the feature for an engine that carries out rollouts of its group, which drain one
   * executor after another. Add it to every engine of the group; otherwise a rollout stops when the
   * last engine with it has stopped.
   */
  public static Cluster create() {
    return new Cluster(true, null);
  }

  /** Returns the feature for an engine that starts and shows rollouts, but carries out none. */
  public static Cluster idle() {
    return new Cluster(false, null);
  }

  /**
   * Recycles this node automatically. The settings hold until an operator changes those of the
   * group.
   */
  public Cluster recycle(RecycleSettings settings) {
    return new Cluster(true, settings);
  }

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public List<EngineExtension> needs() {
    return List.of(Data.create());
  }

  @Override
  public EngineExtension plus(EngineExtension same) {
    Cluster other = (Cluster) same;
    return new Cluster(runs || other.runs, other.recycling == null ? recycling : other.recycling);
  }

  @Override
  public List<WorkflowDefinition> definitions(EngineSettings settings, Store store) {
    return runs ? List.of(RolloutService.definition(settings.executorGroup(), store)) : List.of();
  }

  @Override
  public EnginePart part(EngineServices engine) {
    return new Part(engine);
  }

  private final class Part implements EnginePart {
    private final EngineServices engine;
    private final RolloutService rollouts;
    private final RecycleSettingsService recycles;
    private @Nullable Recycler recycler;

    private Part(EngineServices engine) {
      RecycleSettings usual =
          recycling == null ? RecycleSettings.daily(ZoneOffset.UTC).enabled(false) : recycling;
      this.engine = engine;
      this.rollouts = new RolloutService(engine.store(), engine.codec(), engine);
      this.recycles =
          new RecycleSettingsService(engine.executorGroup(), engine.store(), engine.codec(), usual);
    }

    @Override
    public Map<Class<?>, Object> clients() {
      return Map.of(RolloutService.class, rollouts, RecycleSettingsService.class, recycles);
    }

    @Override
    public void start() {
      if (recycling != null && engine.executorId().isPresent()) {
        recycler =
            new Recycler(
                engine.executorGroup(),
                engine.store(),
                rollouts,
                recycles,
                () -> engine.executorId().orElseThrow());
        recycler.start(engine.runtime().runner());
      }
    }

    @Override
    public void stop(Duration patience) {
      if (recycler != null) {
        recycler.stop(patience);
      }
    }
  }
}
