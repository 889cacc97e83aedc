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

/** Hashes of records that were seen before, by group. The records themselves are not kept. */
public interface ReduceStore {

  /**
   * Compares records with what was committed; and reserves, or commits, those that are due.
   *
   * @return empty when fenced, and then nothing was written
   */
  Optional<ComparisonResult> compare(Comparison comparison, @Nullable Fence fence);

  /**
   * Commits what was dealt with, where no newer token was committed meanwhile, and ends its
   * reservations. A token of before a reset is passed over.
   *
   * @return false when fenced, and then nothing was written
   */
  boolean commit(Commit commit, @Nullable Fence fence);

  /**
   * Ends reservations, so that the records are again what they were before.
   *
   * @param keyHashes empty for all of the owner's
   * @return how many
   */
  int release(String group, String owner, List<String> keyHashes);

  /**
   * Forgets all records of the group at once.
   *
   * @return the group's new generation
   */
  int reset(String group);

  /**
   * Forgets some records, except that their keys had been committed, which {@link
   * ComparisonResult#bases} still shows.
   *
   * @return how many there were
   */
  int forget(String group, List<String> keyHashes);

  /**
   * Forgets what was committed longer ago, and the oldest of more records than may be kept; but
   * none that is reserved. Of what is forgotten, {@link ComparisonResult#bases} are kept within the
   * same limits once more.
   *
   * @param retention null for ever
   * @param most 0 for all
   * @return how many it forgot
   */
  int trim(String group, @Nullable Duration retention, long most);

  /** Returns the stored state of a record. */
  Optional<ReduceRecordState> record(String group, String keyHash);

  Optional<ReduceGroup> find(String group);

  /** Groups in the order of their names, after {@code after}; null for all. */
  List<ReduceGroup> groups(@Nullable String after, int limit);

  /**
   * Deletes records of before a reset.
   *
   * @return how many
   */
  int deleteObsolete(int limit);

  /**
   * A record to be compared.
   *
   * @param keyText kept for {@link MissingRecord}; null not to keep it
   */
  record HashedRecord(String keyHash, String valueHash, @Nullable String keyText) {

    /** A record without fault. Its key is kept when deleted ones are to be told. */
    public static HashedRecord of(RecordDocument.ParsedRecord record, ReduceOptions options) {
      String value = options.hash(record.content());
      String key = record.key();
      return key == null
          ? new HashedRecord(value, value, null)
          : new HashedRecord(options.hash(key), value, options.isFull() ? key : null);
    }
  }

  /**
   * Records to be compared.
   *
   * @param then what is to be done with those that are due
   * @param full true when the records are all that the source has, to be told which are missing
   */
  record Comparison(String group, List<HashedRecord> items, FollowUp then, boolean full) {

    /**
     * @throws io.millrace.instance.InvalidRequestException when the group has no name
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
    record ReduceDryRun() implements FollowUp {}

    /** Others do not get them for a time. */
    record Reserve(String owner, Duration lease) implements FollowUp {}

    /**
     * Commits them at once.
     *
     * @param executionId the instance that says so; null for none
     */
    record CommitNow(@Nullable Long executionId) implements FollowUp {}
  }

  /**
   * The result of a comparison.
   *
   * @param sourceSeq of the tokens of these records
   * @param changes of each record, in their order
   * @param bases the state of each record's key before, in their order: the same until another
   *     content is committed for the key, or the key exceeds the limits of {@link #trim} by far,
   *     and never the same again within a generation
   * @param stored how many records had been committed before
   * @param missing what was committed and is not among the records; empty unless they were full
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
     * @param sourceSeq of the token that was committed last, kept when the key is forgotten;
     *     without one, what no token of a deleted record had
     * @param valueHash of what is committed; null for nothing
     */
    public static String base(long sourceSeq, @Nullable String valueHash) {
      return sourceSeq + "." + (valueHash == null ? "" : valueHash);
    }
  }

  /**
   * A record that the source no longer has.
   *
   * @param keyText null when it was not kept
   */
  record MissingRecord(String keyHash, @Nullable String keyText) {}

  /**
   * What was dealt with.
   *
   * @param forgotten keys that are to be as if they had never been committed
   * @param executionId the instance that did it; null for none
   */
  record Commit(
      String group, List<ReduceToken> tokens, List<String> forgotten, @Nullable Long executionId) {

    /**
     * @throws io.millrace.instance.InvalidRequestException when the group has no name
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
