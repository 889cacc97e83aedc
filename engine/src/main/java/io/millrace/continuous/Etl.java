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
 * Extract, transform and load as a workflow: batch after batch is read from a source, what is not
 * new or changed is passed over, the rest is loaded in chunks, and what was loaded is committed. An
 * attempt that dies does not load a chunk again that it has loaded; what could not be loaded comes
 * again with the next run; and a later instance of the same business key goes on at the last batch
 * of one that failed, unless it was started with {@code resume(false)}. Immutable; the methods
 * answer with a changed copy.
 *
 * @param <T> a record, which is written as JSON to be compared
 */
public final class Etl<T> {

  /** The variable that counts the records that were loaded. */
  public static final String LOADED = "loaded";

  /** The variable that counts the records that could not be loaded, or had no key. */
  public static final String FAILED = "failed";

  /** The variable that counts the records that the source no longer had, and were taken away. */
  public static final String DELETED = "deleted";

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
   * A batch of records of a source.
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
    List<ReducedRecord<T>> load(StateContext ctx, List<ReducedRecord<T>> chunk) throws Exception;
  }

  /** Takes away what the source no longer has. */
  @FunctionalInterface
  public interface Removal {

    /** Deletes a chunk and returns the deleted keys. */
    Collection<String> remove(StateContext ctx, List<String> keys) throws Exception;
  }

  /**
   * The treatment of records that the source no longer has.
   *
   * @param most how much of what was loaded may be missing, in percent
   */
  private record Deletions(int most, Removal removal) {}

  /** The idempotency keys of what was loaded, or the keys of what was taken away. */
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
   * An ETL that tells records apart by their content, and loads a hundred at a time.
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
   * Has what was loaded and is not in the source any more taken away. The source must answer with
   * all its records in one batch, and they need keys. While a record has none, nothing is taken
   * away, since it may be that of a record that seems to be missing.
   *
   * @param maxPercent how much of what was loaded may be missing, 0 to 100; with more, a source
   *     that was read in part only is assumed, and nothing is loaded or taken away
   * @throws InvalidRequestException when it is no percentage
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

  /** The workflow that loads into {@code target}. */
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
      count(ctx, DELETED, remove(ctx, deletions.removal(), reduction.deleted()));
    }
    int failed = due.size() - loaded + reduction.faults().size();
    int loadedInAll = count(ctx, LOADED, loaded);
    int failedInAll = count(ctx, FAILED, failed);
    int passedOver = count(ctx, PASSED_OVER, reduction.unchanged() + reduction.reserved());
    ctx.checkpoint(POSITION, batch.next());
    return batch.next() == null
        ? Next.moveTo(DONE, said(loadedInAll, loadedInAll + failedInAll + passedOver, failedInAll))
        : Next.moveTo(BATCH, said(loaded, batch.records().size(), failed));
  }

  private static String said(int loaded, int records, int failed) {
    return loaded + " of " + records + " records loaded, " + failed + " failed";
  }

  /** A chunk is known by its contents, since the source may have changed between two attempts. */
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

  private static int count(StateContext ctx, String name, int more) {
    int total = ctx.find(name, Integer.class).orElse(0) + more;
    ctx.set(name, total);
    return total;
  }
}
