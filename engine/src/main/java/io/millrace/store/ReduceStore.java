package io.millrace.store;

import io.millrace.data.ChangeType;
import io.millrace.data.RecordDocument;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReduceRecordState;
import io.millrace.data.ReduceToken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hashes of records that were seen before, by group. The records themselves are not stored. */
public interface ReduceStore {

  /** Records that are forgotten or deleted at once, at most. */
  int ROWS_PER_PART = 10_000;

  /**
   * Compares records with the committed ones, and reserves or commits those that are due.
   *
   * @return empty if fenced, and then nothing was written
   */
  Optional<ComparisonResult> compare(Comparison comparison, @Nullable Fence fence);

  /**
   * Commits processed records for which no newer token was committed meanwhile, and ends their
   * reservations. A token from before a reset is skipped.
   *
   * @return false if fenced, and then nothing was written
   */
  boolean commit(Commit commit, @Nullable Fence fence);

  /**
   * Ends reservations of the owner, which restores the previous state of the records.
   *
   * @return number of ended reservations
   */
  int release(String group, String owner, List<String> keyHashes);

  /**
   * Forgets all records of the group at once.
   *
   * @return the group's new generation
   */
  int reset(String group);

  /**
   * Forgets some records, but not that their keys were committed, which {@link
   * ComparisonResult#bases} still shows.
   *
   * @return number of records that were known
   */
  int forget(String group, List<String> keyHashes);

  /**
   * Forgets what was committed longer ago, and the oldest records beyond the maximum number, but no
   * reserved ones. Of the forgotten ones, {@link ComparisonResult#bases} are kept within the same
   * limits once more. A call commits one part of up to {@link #ROWS_PER_PART} records.
   *
   * @param retention null for ever
   * @param most 0 for all
   */
  TrimResult trim(String group, @Nullable Duration retention, long most);

  /** Returns the stored state of a record. */
  Optional<ReduceRecordState> record(String group, String keyHash);

  Optional<ReduceGroup> find(String group);

  /** Returns groups in the order of their names, after {@code after}; null for all. */
  List<ReduceGroup> groups(@Nullable String after, int limit);

  /**
   * Deletes records from before a reset.
   *
   * @return number of deleted records
   */
  int deleteObsolete(int limit);

  /**
   * The result of one part of {@link #trim}.
   *
   * @param forgotten number of forgotten records
   * @param more true if more may be left, for the next call
   */
  record TrimResult(int forgotten, boolean more) {

    /** Result of a group without records. */
    public static final TrimResult NONE = new TrimResult(0, false);
  }

  /**
   * A record to be compared.
   *
   * @param keyText stored for {@link MissingRecord}; null not to store it
   */
  record HashedRecord(String keyHash, String valueHash, @Nullable String keyText) {

    /** Returns a record without fault. Its key is stored if deleted records must be reported. */
    public static HashedRecord of(RecordDocument.ParsedRecord record, ReduceOptions options) {
      String value = options.hash(record.content());
      String key = record.key();
      return key == null
          ? new HashedRecord(value, value, null)
          : new HashedRecord(options.hash(key), value, options.isFull() ? key : null);
    }
  }

  /**
   * The records to be compared.
   *
   * @param then action on the due records
   * @param full true if the records are all that the source has, to get the missing ones
   */
  record Comparison(String group, List<HashedRecord> items, FollowUp then, boolean full) {

    /**
     * @throws io.millrace.instance.InvalidRequestException if the group has no name
     */
    public Comparison {
      ReduceGroup.checked(group);
      items = List.copyOf(items);
    }
  }

  /** The action on changed records. */
  sealed interface FollowUp {

    /** No action; the comparison is recorded, and the tokens can be committed. */
    record None() implements FollowUp {}

    /** No action and no record of the comparison; the tokens are invalid. */
    record DryRun() implements FollowUp {}

    /** Reserves the records for a time. */
    record Reserve(String owner, Duration lease) implements FollowUp {}

    /**
     * Commits the records at once.
     *
     * @param executionId the committing instance; null for none
     */
    record CommitNow(@Nullable Long executionId) implements FollowUp {}
  }

  /**
   * The result of a comparison.
   *
   * @param sourceSeq of the tokens of these records
   * @param changes of each record, in their order
   * @param bases a text for the state that each record's key had before, in their order. It changes
   *     when another content is committed for the key, and may change when {@link #trim} no longer
   *     keeps that of a forgotten key. Within a generation it never becomes an earlier one again
   * @param stored number of records that had been committed before; 0 unless the compared ones were
   *     full
   * @param missing committed records that are not among the compared ones; empty unless those were
   *     full
   */
  record ComparisonResult(
      int generation,
      long sourceSeq,
      List<ChangeType> changes,
      List<String> bases,
      long stored,
      List<MissingRecord> missing) {
    public ComparisonResult {
      changes = List.copyOf(changes);
      bases = List.copyOf(bases);
      missing = List.copyOf(missing);
    }

    /**
     * Returns the base of a key.
     *
     * @param sourceSeq of the last committed token, kept when the key is forgotten; without one, a
     *     value that no token of a deleted record had
     * @param valueHash of the committed content; null for none
     */
    public static String base(long sourceSeq, @Nullable String valueHash) {
      return sourceSeq + "." + (valueHash == null ? "" : valueHash);
    }
  }

  /**
   * A record that the source no longer has.
   *
   * @param keyText null if it was not stored
   */
  record MissingRecord(String keyHash, @Nullable String keyText) {}

  /**
   * The processed records.
   *
   * @param forgotten keys that then count as never committed
   * @param executionId the instance that processed them; null for none
   */
  record Commit(
      String group, List<ReduceToken> tokens, List<String> forgotten, @Nullable Long executionId)
      implements AttachedWrite {

    /**
     * @throws io.millrace.instance.InvalidRequestException if the group has no name
     */
    public Commit {
      ReduceGroup.checked(group);
      tokens = List.copyOf(tokens);
      forgotten = List.copyOf(forgotten);
    }

    public Commit(String group, List<ReduceToken> tokens, @Nullable Long executionId) {
      this(group, tokens, List.of(), executionId);
    }
  }
}
