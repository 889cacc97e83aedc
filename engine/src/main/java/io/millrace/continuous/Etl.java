package io.millrace.continuous;

import io.millrace.data.Reduce;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReducedRecord;
import io.millrace.data.Reduction;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Extract, transform and load as a workflow. It reads batch after batch from a source, skips what
 * is not new or changed, loads the rest in chunks, and commits what was loaded. If an attempt dies,
 * the next one does not load a chunk again that was loaded. Records that could not be loaded come
 * again with the next run. After a failed instance, a later instance of the same business key
 * continues at the last batch, unless it was started with {@code resume(false)}. Immutable; the
 * methods return a changed copy.
 *
 * @param <T> a record, which is written as JSON to be compared
 */
public final class Etl<T> {

  /** Variable with the number of records that were loaded. */
  public static final String LOADED = "loaded";

  /** Variable with the number of records that could not be loaded, or had no key. */
  public static final String FAILED = "failed";

  /** Variable with the number of records that the source no longer had, and that were deleted. */
  public static final String DELETED = "deleted";

  /** Variable with the number of records that were skipped. */
  public static final String PASSED_OVER = "passedOver";

  private static final String BATCH = "batch";
  private static final String DONE = "done";
  private static final String POSITION = "position";
  private static final int CHUNK = 100;

  /**
   * A source of records.
   *
   * @param <T> a record
   */
  @FunctionalInterface
  public interface Source<T> {

    /**
     * Returns the batch at a position.
     *
     * @param position {@link Batch#next} of the previous batch; null for the first one
     */
    Batch<T> extract(StateContext ctx, @Nullable String position) throws Exception;
  }

  /**
   * A batch of records of a source.
   *
   * @param next the position of the next batch; null if this is the last one
   */
  public record Batch<T>(List<T> records, @Nullable String next) {
    public Batch {
      records = List.copyOf(records);
    }
  }

  /**
   * A target that loads records.
   *
   * @param <T> a record
   */
  @FunctionalInterface
  public interface Target<T> {

    /**
     * Loads a chunk, under the idempotency keys of its records, and returns the records that were
     * loaded.
     */
    List<ReducedRecord<T>> load(StateContext ctx, List<ReducedRecord<T>> chunk) throws Exception;
  }

  /** An action that deletes what the source no longer has. */
  @FunctionalInterface
  public interface Removal {

    /** Deletes a chunk and returns the deleted keys. */
    Collection<String> remove(StateContext ctx, List<String> keys) throws Exception;
  }

  /**
   * The treatment of records that the source no longer has.
   *
   * @param most maximum percentage of the loaded records that may be missing
   */
  private record Deletions(int most, Removal removal) {}

  /** The idempotency keys of loaded records, or the keys of deleted ones. */
  record Loaded(Set<String> keys) {}

  private final String type;
  private final Source<T> source;
  private final UnaryOperator<Reduce> how;
  private final int chunk;
  private final @Nullable Deletions deletions;

  private Etl(
      String type,
      Source<T> source,
      UnaryOperator<Reduce> how,
      int chunk,
      @Nullable Deletions deletions) {
    this.type = type;
    this.source = source;
    this.how = how;
    this.chunk = chunk;
    this.deletions = deletions;
  }

  /**
   * Returns an ETL that identifies records by their content and loads a hundred at a time.
   *
   * @param type of the workflow, and the name of its group of records
   */
  public static <T> Etl<T> of(String type, Source<T> source) {
    return new Etl<>(type, source, reduce -> reduce, CHUNK, null);
  }

  /** Sets how records are compared, for example {@code reduce -> reduce.key("/id")}. */
  public Etl<T> reduce(UnaryOperator<Reduce> comparing) {
    return new Etl<>(type, source, comparing, chunk, deletions);
  }

  /**
   * Deletes records from the target that the source no longer has. The source must return all its
   * records in one batch, and they need keys. While a record has no key, nothing is deleted, since
   * that record may be the missing one.
   *
   * @param maxPercent how much of what was loaded may be missing, 0 to 100. If more is missing, the
   *     source was probably read in part only, and nothing is loaded or deleted
   * @throws InvalidRequestException if it is not a percentage
   */
  public Etl<T> deleted(int maxPercent, Removal removal) {
    if (maxPercent < 0 || maxPercent > 100) {
      throw new InvalidRequestException(
          "Of what workflow '"
              + type
              + "' has loaded "
              + maxPercent
              + " % may be deleted; expected 0 to 100.");
    }
    return new Etl<>(type, source, how, chunk, new Deletions(maxPercent, removal));
  }

  /**
   * Sets the number of records that are loaded at a time.
   *
   * @throws InvalidRequestException when it is less than one
   */
  public Etl<T> chunks(int size) {
    if (size < 1) {
      throw new InvalidRequestException(
          "A chunk of workflow '" + type + "' has " + size + " records; expected at least 1.");
    }
    return new Etl<>(type, source, how, size, deletions);
  }

  /** Returns the workflow that loads into {@code target}. */
  public WorkflowDefinition into(Target<T> target) {
    return WorkflowDefinition.of(type).start(BATCH, ctx -> run(ctx, target)).end(DONE).build();
  }

  private Next run(StateContext ctx, Target<T> target) throws Exception {
    String position = ctx.lastCheckpoint(POSITION, String.class).orElse(null);
    Batch<T> batch = source.extract(ctx, position);
    Reduce reduce = how.apply(ctx.reduce(type));
    if (deletions != null) {
      if (position != null || batch.next() != null) {
        return Next.fail(
            "what is deleted can be told only when the source answers with all in one batch");
      }
      reduce = reduce.detectDeletions(deletions.most());
    }
    Reduction<T> reduction = reduce.reduce(batch.records());
    int loaded = 0;
    List<ReducedRecord<T>> due = reduction.changed();
    for (int from = 0; from < due.size(); from += chunk) {
      ctx.cancelToken().throwIfCancelled();
      loaded += load(ctx, target, due.subList(from, Math.min(from + chunk, due.size())));
      ctx.progress(Math.min(from + chunk, due.size()), due.size(), null);
    }
    if (deletions != null && reduction.faults().isEmpty()) {
      addTo(ctx, DELETED, remove(ctx, deletions.removal(), reduction.deleted()));
    }
    int failed = due.size() - loaded + reduction.faults().size();
    int loadedInAll = addTo(ctx, LOADED, loaded);
    int failedInAll = addTo(ctx, FAILED, failed);
    int passedOver = addTo(ctx, PASSED_OVER, reduction.unchanged() + reduction.reserved());
    ctx.checkpoint(POSITION, batch.next());
    return batch.next() == null
        ? Next.moveTo(DONE, said(loadedInAll, loadedInAll + failedInAll + passedOver, failedInAll))
        : Next.moveTo(BATCH, said(loaded, batch.records().size(), failed));
  }

  private static String said(int loaded, int records, int failed) {
    return loaded + " of " + records + " records loaded, " + failed + " failed";
  }

  /**
   * Loads a chunk. It is identified by its contents, since the source may have changed between two
   * attempts.
   */
  private int load(StateContext ctx, Target<T> target, List<ReducedRecord<T>> records)
      throws Exception {
    String name =
        records.stream().map(ReducedRecord::idempotencyKey).collect(Collectors.joining("|"));
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
    for (ReducedRecord<T> record : records) {
      if (done.keys().contains(record.idempotencyKey())) {
        record.commit();
        loaded++;
      } else {
        record.release();
      }
    }
    return loaded;
  }

  private int remove(StateContext ctx, Removal removal, List<Reduction.Deleted> all)
      throws Exception {
    int removed = 0;
    for (int from = 0; from < all.size(); from += chunk) {
      ctx.cancelToken().throwIfCancelled();
      List<Reduction.Deleted> some = all.subList(from, Math.min(from + chunk, all.size()));
      List<String> keys = some.stream().map(Reduction.Deleted::key).toList();
      Loaded gone =
          ctx.once(
              "removal " + ReduceOptions.DEFAULT.hash(String.join("|", keys)),
              Loaded.class,
              () -> new Loaded(Set.copyOf(removal.remove(ctx, keys))));
      for (Reduction.Deleted one : some) {
        if (gone.keys().contains(one.key())) {
          one.commit();
          removed++;
        }
      }
    }
    return removed;
  }

  /** Adds to a variable with a number, and returns the sum. */
  private static int addTo(StateContext ctx, String name, int more) {
    int total = ctx.find(name, Integer.class).orElse(0) + more;
    ctx.set(name, total);
    return total;
  }
}
