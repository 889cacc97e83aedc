package io.millrace.server.bulk;

import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.Deed;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of a bulk run. Each step does a chunk; what was done to each instance is stored at
 * once, so that after a crash only the one in the middle may be done again. Thread-safe.
 */
public final class BulkWorkflow {

  /** Types that begin with this are the server's own. */
  public static final String OWN_TYPES = "millrace-";

  public static final String TYPE = OWN_TYPES + "bulk";

  static final String TALLY = "tally";

  private static final String WORK = "work";
  private static final String DONE = "done";
  private static final int CHUNK = 25;
  private static final int MOST_REFUSALS = 100;
  private static final int PATIENCE_SECONDS = 10;

  private final CompletableFuture<WorkflowClient> client = new CompletableFuture<>();

  /** The steps begin to work once this is called. */
  public void connect(WorkflowClient engineClient) {
    client.complete(engineClient);
  }

  /**
   * How far a run is. Its variable.
   *
   * @param cursor where the next chunk begins; null at the beginning
   * @param refusals the first ones
   */
  public record Tally(
      @Nullable String cursor, long succeeded, long refused, List<Refusal> refusals) {

    static final Tally NONE = new Tally(null, 0, 0, List.of());

    public Tally {
      refusals = List.copyOf(refusals);
    }

    public long done() {
      return succeeded + refused;
    }

    Tally at(@Nullable String next) {
      return new Tally(next, succeeded, refused, refusals);
    }

    Tally plus(long id, String refusal) {
      if (refusal.isEmpty()) {
        return new Tally(cursor, succeeded + 1, refused, refusals);
      }
      List<Refusal> all = new ArrayList<>(refusals);
      if (all.size() < MOST_REFUSALS) {
        all.add(new Refusal(id, refusal));
      }
      return new Tally(cursor, succeeded, refused + 1, all);
    }
  }

  /** An instance that was left as it is, and why. */
  public record Refusal(long id, String message) {}

  /** The definition, for the engine. */
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
    @Nullable String cursor = tally.cursor();
    Selection.Chunk chunk =
        context.once(
            "chunk",
            Selection.Chunk.class,
            () -> Selection.chunk(engine, request.filter(), request.highestId(), cursor, CHUNK));
    for (long id : chunk.ids()) {
      String refusal =
          context.once("i" + id, String.class, () -> apply(engine, request, id, context));
      tally = tally.plus(id, refusal);
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

  /** Why it was refused; empty when it was done. */
  private static String apply(
      WorkflowClient engine, BulkRequest request, long id, StateContext context) {
    String reason = request.reason();
    Deed deed =
        new Deed(request.actor(), reason == null ? "bulk run " + context.instanceId() : reason);
    try {
      apply(engine, request, id, deed, "bulk-" + context.instanceId());
      return "";
    } catch (ConflictException | InstanceNotFoundException | InvalidRequestException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void apply(
      WorkflowClient engine, BulkRequest request, long id, Deed deed, String key) {
    switch (request.action()) {
      case RETRY -> engine.retry(id, deed);
      case CANCEL -> engine.cancel(id, deed);
      case PAUSE -> engine.pause(id, deed);
      case RESUME -> engine.resume(id, deed);
      case WAKE -> engine.wake(id, deed);
      case MOVE ->
          engine.move(
              id, InvalidRequestException.given(request.state(), "The state to move to"), deed);
      case SIGNAL -> {
        BulkRequest.SignalToSend signal =
            InvalidRequestException.given(request.signal(), "The signal to send");
        engine.signal(id, signal.name(), signal.payload(), deed.actor(), key);
      }
    }
  }
}
