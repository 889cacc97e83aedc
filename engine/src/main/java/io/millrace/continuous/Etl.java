package io.millrace.continuous;

import io.millrace.data.Reduce;
import io.millrace.data.ReduceOptions;
import io.millrace.data.Reduced;
import io.millrace.data.Reduction;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Extract, transform and load as a workflow: batch after batch is read from a source, what is not
 * new or changed is passed over, the rest is loaded in chunks, and what was loaded is committed. An
 * attempt that dies does not load a chunk again that it has loaded; what could not be loaded comes
 * again with the next run; and a later instance of the same business key goes on at the last batch
 * of one that failed. Immutable; the methods answer with a changed copy.
 *
 * @param <T> a record, which is written as JSON to be compared
 */
public final class Etl<T> {

  /** The variable that counts the records that were loaded. */
  public static final String LOADED = "loaded";

  /** The variable that counts the records that could not be loaded, or had no key. */
  public static final String FAILED = "failed";

  /** The variable that counts the records that were passed over. */
  public static final String PASSED_OVER = "passedOver";

  private static final String BATCH = "batch";
  private static final String DONE = "done";
  private static final String POSITION = "position";
  private static final int CHUNK = 100;

  /**
   * Reads from a source.
   *
   * @param <T> a record
   */
  @FunctionalInterface
  public interface Source<T> {

    /**
     * The batch from a position on.
     *
     * @param position {@link Batch#next} of the batch before; null for the first one
     */
    Batch<T> extract(StateContext ctx, @Nullable String position) throws Exception;
  }

  /**
   * Some records of a source.
   *
   * @param next where the next batch begins; null when this is the last one
   */
  public record Batch<T>(List<T> records, @Nullable String next) {
    public Batch {
      records = List.copyOf(records);
    }
  }

  /**
   * Takes records to where they belong.
   *
   * @param <T> a record
   */
  @FunctionalInterface
  public interface Target<T> {

    /**
     * Loads a chunk, under the idempotency keys of its records, and answers with those that were
     * taken.
     */
    List<Reduced<T>> load(StateContext ctx, List<Reduced<T>> chunk) throws Exception;
  }

  /** The idempotency keys of what was loaded. */
  record Loaded(Set<String> keys) {}

  private final String type;
  private final Source<T> source;
  private final UnaryOperator<Reduce> how;
  private final int chunk;

  private Etl(String type, Source<T> source, UnaryOperator<Reduce> how, int chunk) {
    this.type = type;
    this.source = source;
    this.how = how;
    this.chunk = chunk;
  }

  /**
   * An ETL that tells records apart by their content, and loads a hundred at a time.
   *
   * @param type of the workflow, and the name of its group of records
   */
  public static <T> Etl<T> of(String type, Source<T> source) {
    return new Etl<>(type, source, reduce -> reduce, CHUNK);
  }

  /** How records are compared, for example {@code reduce -> reduce.key("/id")}. */
  public Etl<T> reduce(UnaryOperator<Reduce> comparing) {
    return new Etl<>(type, source, comparing, chunk);
  }

  /**
   * How many records are loaded at a time.
   *
   * @throws InvalidRequestException when it is less than one
   */
  public Etl<T> chunks(int size) {
    if (size < 1) {
      throw new InvalidRequestException(
          "A chunk of workflow '" + type + "' has " + size + " records; expected at least 1.");
    }
    return new Etl<>(type, source, how, size);
  }

  /** The workflow that loads into {@code target}. */
  public WorkflowDefinition into(Target<T> target) {
    return WorkflowDefinition.of(type).start(BATCH, ctx -> run(ctx, target)).end(DONE).build();
  }

  private Next run(StateContext ctx, Target<T> target) throws Exception {
    String position = ctx.lastCheckpoint(POSITION, String.class).orElse(null);
    Batch<T> batch = source.extract(ctx, position);
    Reduction<T> reduction = how.apply(ctx.reduce(type)).reduce(batch.records());
    int loaded = 0;
    List<Reduced<T>> due = reduction.due();
    for (int from = 0; from < due.size(); from += chunk) {
      ctx.cancelToken().throwIfCancelled();
      loaded += load(ctx, target, due.subList(from, Math.min(from + chunk, due.size())));
      ctx.progress(Math.min(from + chunk, due.size()), due.size(), null);
    }
    int failed = due.size() - loaded + reduction.faults().size();
    count(ctx, LOADED, loaded);
    count(ctx, FAILED, failed);
    count(ctx, PASSED_OVER, reduction.unchanged() + reduction.reserved());
    ctx.checkpoint(POSITION, batch.next());
    String said =
        loaded + " of " + batch.records().size() + " records loaded, " + failed + " failed";
    return Next.moveTo(batch.next() == null ? DONE : BATCH, said);
  }

  /** A chunk is known by its contents, since the source may have changed between two attempts. */
  private int load(StateContext ctx, Target<T> target, List<Reduced<T>> records) throws Exception {
    String name = records.stream().map(Reduced::idempotencyKey).collect(Collectors.joining("|"));
    Loaded done =
        ctx.once(
            "chunk " + ReduceOptions.DEFAULT.hash(name),
            Loaded.class,
            () -> {
              Set<String> keys = new HashSet<>();
              target.load(ctx, List.copyOf(records)).forEach(r -> keys.add(r.idempotencyKey()));
              return new Loaded(keys);
            });
    int loaded = 0;
    for (Reduced<T> record : records) {
      if (done.keys().contains(record.idempotencyKey())) {
        record.commit();
        loaded++;
      } else {
        record.release();
      }
    }
    return loaded;
  }

  private static void count(StateContext ctx, String name, int more) {
    ctx.set(name, ctx.find(name, Integer.class).orElse(0) + more);
  }
}
