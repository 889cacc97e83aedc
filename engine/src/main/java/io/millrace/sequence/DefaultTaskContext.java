package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.Codec;
import io.millrace.codec.TypeRef;
import io.millrace.definition.CancelToken;
import io.millrace.definition.StateContext;
import io.millrace.lifecycle.BoundedThreadPool;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** An attempt of a task as an attempt of its state. */
final class DefaultTaskContext implements TaskContext {

  private final StateContext ctx;
  private final CompiledPosition compiledPosition;
  private final ExecutionInput input;
  private final Codec codec;
  private final BoundedThreadPool pool;
  private final TaskMessage message;
  private @Nullable String statusLog;

  /** The task that the execution is in, with its compiled sequence. */
  record CompiledPosition(
      CompiledSequence compiledSequence, CompiledSequence.CompiledTask compiledTask) {
    Task task() {
      return compiledTask.task();
    }
  }

  DefaultTaskContext(
      StateContext ctx, CompiledPosition compiledPosition, Codec codec, BoundedThreadPool pool) {
    this.ctx = ctx;
    this.compiledPosition = compiledPosition;
    this.codec = codec;
    this.pool = pool;
    this.input = ctx.input(ExecutionInput.class);
    this.message =
        compiledPosition.compiledSequence.message(
            ctx.instanceId(),
            input.sequenceId(),
            compiledPosition.compiledTask.state(),
            ctx.attempt() > 1);
  }

  @Nullable String statusLog() {
    return statusLog;
  }

  @Override
  public long executionId() {
    return ctx.instanceId();
  }

  @Override
  public String sequenceId() {
    return input.sequenceId();
  }

  @Override
  public String sequenceType() {
    return input.workflowType();
  }

  @Override
  public String taskName() {
    return compiledPosition.task().name();
  }

  @Override
  public int taskId() {
    return compiledPosition.compiledTask.taskId();
  }

  @Override
  public int position() {
    return message.position();
  }

  @Override
  public int nextTaskId() {
    return message.nextTaskId();
  }

  @Override
  public DataWindow window() {
    return input.window();
  }

  @Override
  public int attempt() {
    return ctx.attempt();
  }

  @Override
  public boolean isRetry() {
    return message.isWorkflowTaskRetry();
  }

  @Override
  public String message() {
    return message.json();
  }

  @Override
  public <T> Optional<T> parameter(String name, TypeRef<T> type) {
    Object value = input.parameters().get(name);
    if (value == null) {
      value = input.taskParameters().getOrDefault("" + position(), Map.of()).get(name);
    }
    if (value == null) {
      value = compiledPosition.task().options().parameters().get(name);
    }
    return value == null ? Optional.empty() : Optional.of(codec.decode(codec.encode(value), type));
  }

  @Override
  public <T> Optional<T> result(String name, TypeRef<T> type) {
    return ctx.find(name, type);
  }

  @Override
  public void setResult(String name, Object value) {
    ctx.set(name, requirePresent(value, "What is passed on as '" + name + "'"));
  }

  @Override
  public void statusLog(String text) {
    statusLog = text;
  }

  @Override
  public <T> T once(String name, TypeRef<T> type, Callable<T> work) throws Exception {
    return ctx.once(name, type, work);
  }

  @Override
  public <T> List<T> chunks(TypeRef<T> type, List<Chunk<T>> chunks) throws Exception {
    return new ChunkRunner<>(ctx, pool, codec, type, chunks).run();
  }

  @Override
  public void progress(long done, long total, @Nullable String text) {
    ctx.progress(done, total, text);
  }

  @Override
  public CancelToken cancelToken() {
    return ctx.cancelToken();
  }

  @Override
  public String idempotencyKey() {
    return ctx.idempotencyKey();
  }

  @Override
  public Instant now() {
    return ctx.now();
  }
}
