package io.millrace.server.bulk;

import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of a bulk run. Each attempt acts on a chunk of instances and stores the result for
 * each instance at once. After a crash, the history of the current instance shows whether the run
 * had acted on it. Thread-safe.
 */
public final class BulkWorkflow {

  public static final String TYPE = "millrace-bulk";

  static final String TALLY = "tally";
  static final String REFUSALS = "refusals";

  private static final String WORK = "work";
  private static final String DONE = "done";
  private static final int CHUNK = 25;
  private static final int MAX_REFUSALS = 100;
  private static final int PATIENCE_SECONDS = 10;

  private final CompletableFuture<WorkflowClient> client = new CompletableFuture<>();
  private final LongConsumer changed;

  /**
   * @param changed receives the ids of the instances that were acted on
   */
  public BulkWorkflow(LongConsumer changed) {
    this.changed = changed;
  }

  /** Connects the workflow to its engine. Its attempts wait until this is called. */
  public void connect(WorkflowClient engineClient) {
    client.complete(engineClient);
  }

  /**
   * The progress of a run, stored as a variable.
   *
   * @param cursor position at which the next chunk starts; null at the start
   */
  public record Tally(@Nullable String cursor, long succeeded, long refused) {

    static final Tally NONE = new Tally(null, 0, 0);

    public long done() {
      return succeeded + refused;
    }

    Tally at(@Nullable String next) {
      return new Tally(next, succeeded, refused);
    }

    Tally plus(boolean success) {
      return new Tally(cursor, succeeded + (success ? 1 : 0), refused + (success ? 0 : 1));
    }
  }

  /** An instance that was not changed, and the reason. */
  public record Refusal(long id, String message) {

    /** Returns the first refusals of a run. Their variable is written only while the list grows. */
    static List<Refusal> of(Optional<Refusal[]> stored) {
      return stored.map(List::of).orElse(List.of());
    }
  }

  /** Returns the definition to register with the engine. */
  public WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .description("Does one thing to all instances that a filter matches.")
        .start(WORK, this::work)
        .end(DONE)
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)).maxAttempts(1000))
        .build();
  }

  private Next work(StateContext context) throws Exception {
    WorkflowClient engine = client.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    BulkRequest request = context.input(BulkRequest.class);
    Tally tally = context.find(TALLY, Tally.class).orElse(Tally.NONE);
    List<Refusal> refusals = new ArrayList<>(Refusal.of(context.find(REFUSALS, Refusal[].class)));
    @Nullable String cursor = tally.cursor();
    InstanceSelection.Chunk chunk =
        context.once(
            "chunk",
            InstanceSelection.Chunk.class,
            () ->
                InstanceSelection.chunk(
                    engine, request.filter(), request.highestId(), cursor, CHUNK));
    BulkActionApplier action = new BulkActionApplier(engine, request, context.instanceId());
    for (long id : chunk.ids()) {
      String refusal =
          context.once("i" + id, String.class, () -> action.apply(id, context.attempt() > 1));
      changed.accept(id);
      tally = tally.plus(refusal.isEmpty());
      if (!refusal.isEmpty() && refusals.size() < MAX_REFUSALS) {
        refusals.add(new Refusal(id, refusal));
        context.set(REFUSALS, refusals);
      }
      context.progress(tally.done(), Math.max(request.total(), tally.done()), null);
    }
    tally = tally.at(chunk.next());
    context.set(TALLY, tally);
    return chunk.next() == null
        ? Next.moveTo(DONE, said(request, tally))
        : Next.moveTo(WORK, tally.done() + " done so far");
  }

  private static String said(BulkRequest request, Tally tally) {
    return request.action().code()
        + ": "
        + tally.succeeded()
        + " succeeded, "
        + tally.refused()
        + " refused";
  }
}
