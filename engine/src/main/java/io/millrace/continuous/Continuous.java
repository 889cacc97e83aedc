package io.millrace.continuous;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineListener;
import io.millrace.extension.Data;
import io.millrace.extension.EngineExtension;
import io.millrace.extension.EnginePart;
import io.millrace.extension.EngineServices;
import io.millrace.extension.ExecutorPart;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ContinuousStore;
import io.millrace.store.RetentionSweep;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The feature of continuous workflows and their triggers. Immutable: each method returns another
 * object.
 */
public final class Continuous implements EngineExtension {

  private final List<ContinuousWorkflow> workflows;
  private final @Nullable ContinuousSettings settings;

  private Continuous(List<ContinuousWorkflow> workflows, @Nullable ContinuousSettings settings) {
    this.workflows = List.copyOf(workflows);
    this.settings = settings;
  }

  /**
   * Returns the feature with the workflows that an engine can run, and the definitions that their
   * events run through; none for an engine that only shows and changes those of others.
   */
  public static Continuous of(ContinuousWorkflow... workflows) {
    return new Continuous(List.of(workflows), null);
  }

  /** Sets how continuous workflows run on this engine. */
  public Continuous settings(ContinuousSettings newSettings) {
    return new Continuous(workflows, newSettings);
  }

  @Override
  public String name() {
    return "continuous";
  }

  @Override
  public List<EngineExtension> needs() {
    return List.of(Data.create());
  }

  @Override
  public EngineExtension plus(EngineExtension same) {
    Continuous other = (Continuous) same;
    List<ContinuousWorkflow> all = new ArrayList<>(workflows);
    all.addAll(other.workflows);
    return new Continuous(all, other.settings == null ? settings : other.settings);
  }

  /** Returns the definitions of the events once, since several workflows may share one. */
  @Override
  public List<WorkflowDefinition> definitions(EngineSettings engineSettings, Store store) {
    ContinuousWorkflowCatalog.check(workflows);
    return workflows.stream().map(ContinuousWorkflow::events).distinct().toList();
  }

  @Override
  public EnginePart part(EngineServices engine) {
    ContinuousStore store = engine.store().role(ContinuousStore.class);
    return new EnginePart() {
      @Override
      public List<RetentionSweep> sweeps() {
        return ContinuousEngine.sweeps(store);
      }

      @Override
      public ExecutorPart join(EngineServices executor) {
        return new ContinuousPart(
            new ContinuousEngine(
                new ContinuousEngine.Stores(store, engine.store().audit()),
                new ContinuousEngine.Config(
                    settings == null ? ContinuousSettings.defaults() : settings, workflows),
                engine.codec(),
                executor));
      }
    };
  }

  /** The continuous workflows of one executor. */
  private record ContinuousPart(ContinuousEngine continuousEngine) implements ExecutorPart {
    @Override
    public Map<Class<?>, Object> clients() {
      return Map.of(ContinuousWorkflowService.class, continuousEngine.workflows());
    }

    @Override
    public List<EngineListener> listeners() {
      return List.of(continuousEngine);
    }

    @Override
    public void start() {
      continuousEngine.start();
    }

    @Override
    public void stop(Duration patience) {
      continuousEngine.stop(patience);
    }
  }
}
