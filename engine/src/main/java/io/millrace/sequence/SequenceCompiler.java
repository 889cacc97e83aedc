package io.millrace.sequence;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes workflow definitions of shapes: one state for each task, in their order. */
final class SequenceCompiler {

  private final TaskStep.Services services;

  SequenceCompiler(TaskStep.Services services) {
    this.services = services;
  }

  /**
   * The definition of a shape.
   *
   * @param components what runs each task
   */
  WorkflowDefinition compile(
      Shape shape, int version, Function<Task, TaskStep.Component> components) {
    List<Shape.Place> places = shape.places();
    WorkflowDefinitionBuilder<String> definition =
        WorkflowDefinition.of(shape.type())
            .version(version)
            .description("Tasks, one after another")
            .input(ExecutionInput.class);
    for (int i = 0; i < places.size(); i++) {
      Shape.Place place = places.get(i);
      @Nullable String next = i + 1 < places.size() ? places.get(i + 1).state() : null;
      TaskStep.Component component = components.apply(place.task());
      TaskStep step =
          new TaskStep(new StepTaskContext.Place(shape, place), next, component, services);
      if (i == 0) {
        definition.start(place.state(), step);
      } else {
        definition.state(place.state(), step);
      }
      if (next != null) {
        definition.permit(place.state(), next);
      }
      options(definition, place);
      if (component.computing()) {
        definition.computing(place.state());
      }
    }
    return definition.build();
  }

  private void options(WorkflowDefinitionBuilder<String> definition, Shape.Place place) {
    Task task = place.task();
    definition.retry(place.state(), retry(task.options()));
    if (task.options().timeout() != null) {
      definition.timeout(place.state(), Duration.ofMillis(task.options().timeout()));
    }
    if (task.channel() != null) {
      definition.channel(place.state(), task.channel());
    }
  }

  private RetryPolicy retry(Task.Options options) {
    RetryPolicy policy = services.settings().retry();
    if (options.firstRetryDelay() != null) {
      Duration first = Duration.ofMillis(options.firstRetryDelay());
      Duration most = policy.maxDelay().compareTo(first) < 0 ? first : policy.maxDelay();
      policy =
          new RetryPolicy(
              first,
              most,
              policy.jitter(),
              policy.maxAttempts(),
              policy.maxElapsed(),
              policy.nonRetryable());
    }
    return options.maxRetries() == null ? policy : policy.maxAttempts(1 + options.maxRetries());
  }
}
