package io.millrace.store.sql;

import io.millrace.data.ReduceToken;
import io.millrace.store.ReduceStore.HashedRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The statements of reduced records. They work on whole sets. */
final class ReduceSql {

  static final String INSERT_GROUP =
      """
      INSERT INTO millrace_reduce_group (name, generation, source_seq, created_at, modified_at)
      VALUES (:name, 1, 0, :now, :now)
      """;

  static final String GROUP =
      """
      SELECT id, name, generation, source_seq, deleted_seq, created_at, modified_at, (SELECT :now) AS now
      FROM millrace_reduce_group
      """;

  static final String NEXT_SEQ =
      """
      UPDATE millrace_reduce_group SET source_seq = source_seq + 1, modified_at = :now WHERE id = :id
      """;

  static final String NEXT_GENERATION =
      """
      UPDATE millrace_reduce_group SET generation = generation + 1, modified_at = :now WHERE id = :id
      """;

  static final String LIMIT_GROUP =
      """
      UPDATE millrace_reduce_group SET deleted_seq = 0 WHERE id = :id AND deleted_seq IS NULL
      """;

  /** Update that skips a number: no token has it, so that no earlier base equals a later one. */
  static final String NEXT_DELETED_SEQ =
      """
      UPDATE millrace_reduce_group
      SET source_seq = source_seq + 1, deleted_seq = source_seq + 1, modified_at = :now
      WHERE id = :id
      """;

  /** Comparison of records, which returns only those that differ from the committed ones. */
  static final String COMPARE =
      """
      SELECT d.place, CASE WHEN r.value_hash IS NULL THEN 1 ELSE 0 END AS fresh,
        CASE WHEN r.reserved_until > :at AND r.reserved_by <> :owner THEN 1 ELSE 0 END AS reserved,
        COALESCE(r.source_seq, :deletedSeq) AS base_seq, r.value_hash AS base_hash
      FROM UNNEST(CAST(:places AS integer ARRAY), CAST(:keys AS varchar ARRAY),
        CAST(:hashes AS varchar ARRAY)) AS d(place, key_hash, value_hash)
      LEFT JOIN millrace_reduce_record r ON r.group_id = :id AND r.generation = :generation
        AND r.key_hash = d.key_hash
      WHERE r.value_hash IS NULL OR r.value_hash <> d.value_hash
      """;

  static final String STORED =
      """
      SELECT key_hash, key_text FROM millrace_reduce_record
      WHERE group_id = :id AND generation = :generation AND value_hash IS NOT NULL
      """;

  static final String COUNT =
      """
      SELECT COUNT(value_hash) AS committed_count,
        COUNT(CASE WHEN reserved_until > :now THEN 1 END) AS pending
      FROM millrace_reduce_record WHERE group_id = :id AND generation = :generation
      """;

  /** Reservation of records. The lock of the group keeps others from the same keys. */
  static final String RESERVE =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY), CAST(:hashes AS varchar ARRAY),
          CAST(:texts AS varchar ARRAY)) AS v(key_hash, value_hash, key_text)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED THEN UPDATE SET pending_hash = d.value_hash, reserved_by = CAST(:owner AS varchar),
        reserved_until = CAST(:until AS timestamp with time zone),
        key_text = COALESCE(d.key_text, r.key_text),
        committed_at = CASE WHEN r.value_hash IS NULL THEN CAST(:at AS timestamp with time zone)
          ELSE r.committed_at END
      WHEN NOT MATCHED THEN INSERT (group_id, generation, key_hash, key_text, source_seq,
          committed_at, pending_hash, reserved_by, reserved_until)
        VALUES (CAST(:id AS integer), CAST(:generation AS integer), d.key_hash, d.key_text,
          CAST(:deletedSeq AS bigint), CAST(:at AS timestamp with time zone),
          d.value_hash, CAST(:owner AS varchar), CAST(:until AS timestamp with time zone))
      """;

  /**
   * Update that keeps the base of records that are returned without a commit, whatever is deleted
   * meanwhile.
   */
  static final String MARK =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY)) AS v(key_hash)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED THEN UPDATE SET committed_at = CAST(:at AS timestamp with time zone)
      WHEN NOT MATCHED THEN INSERT (group_id, generation, key_hash, source_seq, committed_at)
        VALUES (CAST(:id AS integer), CAST(:generation AS integer), d.key_hash,
          CAST(:deletedSeq AS bigint), CAST(:at AS timestamp with time zone))
      """;

  /**
   * Commit of records. An older token does not overwrite a newer one; the reservation of a
   * committed content ends.
   */
  static final String COMMIT =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY), CAST(:hashes AS varchar ARRAY),
          CAST(:texts AS varchar ARRAY), CAST(:seqs AS bigint ARRAY))
          AS v(key_hash, value_hash, key_text, source_seq)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED AND r.source_seq <= d.source_seq THEN UPDATE SET value_hash = d.value_hash,
        source_seq = d.source_seq, committed_at = CAST(:at AS timestamp with time zone),
        committed_by = CAST(:executionId AS bigint), key_text = COALESCE(d.key_text, r.key_text),
        reserved_by = CASE WHEN r.pending_hash <> d.value_hash THEN r.reserved_by END,
        reserved_until = CASE WHEN r.pending_hash <> d.value_hash THEN r.reserved_until END,
        pending_hash = CASE WHEN r.pending_hash <> d.value_hash THEN r.pending_hash END
      WHEN NOT MATCHED THEN INSERT (group_id, generation, key_hash, key_text, value_hash,
          source_seq, committed_at, committed_by)
        VALUES (CAST(:id AS integer), CAST(:generation AS integer), d.key_hash, d.key_text,
          d.value_hash, d.source_seq, CAST(:at AS timestamp with time zone),
          CAST(:executionId AS bigint))
      """;

  /**
   * Release of an owner's reservations. A record that was never committed then counts as never
   * seen.
   */
  static final String RELEASE =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY)) AS v(key_hash)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED AND r.reserved_by = CAST(:owner AS varchar) THEN UPDATE SET
        pending_hash = NULL, reserved_by = NULL, reserved_until = NULL
      """;

  /**
   * Update that forgets records. The number of the last commit stays, so that the key's next base
   * is a new one.
   */
  static final String FORGET =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY)) AS v(key_hash)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED AND (r.value_hash IS NOT NULL OR r.pending_hash IS NOT NULL) THEN UPDATE SET
        value_hash = NULL, key_text = NULL, committed_by = NULL,
        pending_hash = NULL, reserved_by = NULL, reserved_until = NULL
      """;

  /** Update of the keys of records that were committed without them, and have not changed since. */
  static final String FILL_KEYS =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY), CAST(:texts AS varchar ARRAY))
          AS v(key_hash, key_text)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED AND r.key_text IS NULL THEN UPDATE SET key_text = d.key_text
      """;

  static final String RECORD =
      """
      SELECT key_hash, key_text, value_hash, source_seq, pending_hash,
        CASE WHEN reserved_until > :now THEN reserved_by END AS reserved_by, reserved_until,
        CASE WHEN value_hash IS NOT NULL THEN committed_at END AS committed_at, committed_by
      FROM millrace_reduce_record
      WHERE group_id = :id AND generation = :generation AND key_hash = :key
        AND (value_hash IS NOT NULL OR pending_hash IS NOT NULL)
      """;

  static final String DELETE =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:keys AS varchar ARRAY)) AS v(key_hash)) d
      ON (r.group_id = :id AND r.generation = :generation AND r.key_hash = d.key_hash)
      WHEN MATCHED THEN DELETE
      """;

  /** Condition for a committed record {@code r}. */
  static final String KNOWN = "r.value_hash IS NOT NULL";

  /** Condition for a record {@code r} of which only the base is left. */
  static final String FORGOTTEN = "r.value_hash IS NULL AND r.committed_at IS NOT NULL";

  private static final String UNRESERVED = "(reserved_until IS NULL OR reserved_until <= :now)";

  private static final String OF_GROUP =
      " FROM millrace_reduce_record r WHERE r.group_id = :id AND r.generation = :generation AND ";

  /** Query of records that are older than {@code :before}, the oldest first. */
  static String old(String condition) {
    return "SELECT r.key_hash"
        + OF_GROUP
        + condition
        + " AND r.committed_at < :before AND "
        + UNRESERVED
        + " ORDER BY r.committed_at LIMIT :rows";
  }

  static String count(String condition) {
    return "SELECT COUNT(*) AS records" + OF_GROUP + condition;
  }

  /** Query of those of the oldest {@code :excess} records that are not reserved. */
  static String oldest(String condition) {
    return "SELECT oldest.key_hash FROM (SELECT r.key_hash, r.reserved_until"
        + OF_GROUP
        + condition
        + " ORDER BY r.committed_at, r.source_seq, r.key_hash DESC LIMIT :excess) oldest WHERE "
        + UNRESERVED
        + " LIMIT :rows";
  }

  /** Query of records from before a reset. */
  static final String OBSOLETE =
      """
      SELECT r.group_id, r.generation, r.key_hash FROM millrace_reduce_group g
      JOIN millrace_reduce_record r ON r.group_id = g.id AND r.generation < g.generation
      LIMIT :limit
      """;

  static final String DELETE_OBSOLETE =
      """
      MERGE INTO millrace_reduce_record r
      USING (SELECT v.* FROM UNNEST(CAST(:ids AS integer ARRAY),
          CAST(:generations AS integer ARRAY), CAST(:keys AS varchar ARRAY))
          AS v(group_id, generation, key_hash)) d
      ON (r.group_id = d.group_id AND r.generation = d.generation AND r.key_hash = d.key_hash)
      WHEN MATCHED THEN DELETE
      """;

  private ReduceSql() {}

  static Params compared(List<HashedRecord> items) {
    return Params.none()
        .ints("places", IntStream.range(0, items.size()).boxed().toList(), place -> place)
        .texts("keys", items, HashedRecord::keyHash)
        .texts("hashes", items, HashedRecord::valueHash);
  }

  static Params items(List<HashedRecord> items) {
    return Params.none()
        .texts("keys", items, HashedRecord::keyHash)
        .texts("hashes", items, HashedRecord::valueHash)
        .texts("texts", items, HashedRecord::keyText);
  }

  static Params tokens(List<ReduceToken> tokens) {
    return Params.none()
        .texts("keys", tokens, ReduceToken::keyHash)
        .texts("hashes", tokens, ReduceToken::valueHash)
        .texts("texts", tokens, ReduceToken::keyText)
        .longs("seqs", tokens, ReduceToken::sourceSeq);
  }

  static <T> List<T> chunk(List<T> all, int from, int size) {
    return all.subList(from, Math.min(from + size, all.size()));
  }

  /**
   * Returns the newest token of each key, since a set-based statement may write each key only once.
   */
  static List<ReduceToken> newestOfEach(Collection<ReduceToken> tokens) {
    Map<String, ReduceToken> newest = new LinkedHashMap<>();
    tokens.forEach(token ->
        newest.merge(token.keyHash(), token, (a, b) -> a.sourceSeq() > b.sourceSeq() ? a : b));
    return List.copyOf(newest.values());
  }

  /**
   * Returns the last record of each key, since a set-based statement may write each key only once.
   */
  static Collection<HashedRecord> lastOfEach(Collection<HashedRecord> items) {
    Map<String, HashedRecord> last = new LinkedHashMap<>();
    items.forEach(hashedRecord -> last.put(hashedRecord.keyHash(), hashedRecord));
    return last.values();
  }
}
