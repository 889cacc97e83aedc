package io.millrace.sequence;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A compiler of sequences into workflow definitions, with one state for each task, in their order.
 */
final class SequenceCompiler {

  private final TaskStateHandler.Services services;

  SequenceCompiler(TaskStateHandler.Services services) {
    this.services = services;
  }

  /**
   * Returns the definition of a compiled sequence.
   *
   * @param components runs each task
   */
  WorkflowDefinition compile(
      CompiledSequence compiledSequence,
      int version,
      Function<Task, TaskStateHandler.HandlerProvider> components) {
    List<CompiledSequence.CompiledTask> compiledTasks = compiledSequence.tasks();
    WorkflowDefinitionBuilder<String> definition =
        WorkflowDefinition.of(compiledSequence.type())
            .version(version)
            .description("Tasks, one after another")
            .input(ExecutionInput.class);
    for (int i = 0; i < compiledTasks.size(); i++) {
      CompiledSequence.CompiledTask compiledTask = compiledTasks.get(i);
      @Nullable String next =
          i + 1 < compiledTasks.size() ? compiledTasks.get(i + 1).state() : null;
      TaskStateHandler.HandlerProvider handlerProvider = components.apply(compiledTask.task());
      TaskStateHandler handler =
          new TaskStateHandler(
              new DefaultTaskContext.CompiledPosition(compiledSequence, compiledTask),
              next,
              handlerProvider,
              services);
      if (i == 0) {
        definition.start(compiledTask.state(), handler);
      } else {
        definition.state(compiledTask.state(), handler);
      }
      if (next != null) {
        definition.permit(compiledTask.state(), next);
      }
      options(definition, compiledTask);
      if (handlerProvider.cpuBound()) {
        definition.cpuBound(compiledTask.state());
      }
    }
    return definition.build();
  }

  private void options(
      WorkflowDefinitionBuilder<String> definition, CompiledSequence.CompiledTask compiledTask) {
    Task task = compiledTask.task();
    definition.retry(compiledTask.state(), retry(task.options()));
    if (task.options().timeout() != null) {
      definition.timeout(compiledTask.state(), Duration.ofMillis(task.options().timeout()));
    }
    if (task.channel() != null) {
      definition.channel(compiledTask.state(), task.channel());
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
