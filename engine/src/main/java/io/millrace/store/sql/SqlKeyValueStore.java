package io.millrace.store.sql;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyStatus;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.instance.Page;
import io.millrace.store.Fence;
import io.millrace.store.KeyValueRules;
import io.millrace.store.KeyValueStore;
import io.millrace.store.QueryStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values by group and key in SQL. */
final class SqlKeyValueStore implements KeyValueStore {

  private static final Duration REMEMBERED = Duration.ofDays(1);

  private static final String THERE = "(expires_at IS NULL OR expires_at > (SELECT :now))";

  private static final String ROW =
      """
      SELECT group_name, key_name, content, status, version, writer, expires_at, created_at, modified_at,
        (SELECT :now) AS now
      FROM millrace_key_value
      """;

  /** The database knows the sizes of values without reading them. */
  private static final String LISTED =
      """
      SELECT * FROM (
        SELECT k.*, SUM(k.size) OVER (ORDER BY modified_at DESC, key_hash DESC) AS so_far,
          COUNT(*) OVER () AS matching
        FROM (
          SELECT group_name, key_name, key_hash, content, status, version, expires_at, created_at,
            modified_at, OCTET_LENGTH(content) AS size
          FROM millrace_key_value
      """;

  private static final String WITHIN_A_PAGE =
      """
      ) k) k WHERE so_far - size < CAST(:bytes AS bigint) ORDER BY modified_at DESC, key_hash DESC
      """;

  private static final String FIND = ROW + "WHERE group_hash = :groupHash AND key_hash = :keyHash";

  private static final String GET = FIND + " AND " + THERE;

  private static final String UPDATE =
      """
      UPDATE millrace_key_value SET content = :content, status = :status, version = version + 1,
        writer = :writer, expires_at = :now + CAST(:expiresAfter AS bigint)
          * INTERVAL '0.000001' SECOND,
        created_at = CASE WHEN expires_at <= :now THEN :now ELSE created_at END, modified_at = :now
      WHERE group_hash = :groupHash AND key_hash = :keyHash
      """;

  private static final String INSERT =
      """
      INSERT INTO millrace_key_value (group_hash, key_hash, group_name, key_name, content, status,
        version, writer, expires_at, created_at, modified_at)
      VALUES (:groupHash, :keyHash, :group, :key, :content, :status, 1, :writer,
        :now + CAST(:expiresAfter AS bigint) * INTERVAL '0.000001' SECOND, :now, :now)
      """;

  /** Update that expires a deleted value: its version stays known for a while. */
  private static final String DELETE =
      """
      UPDATE millrace_key_value SET content = '', expires_at = :now, modified_at = :now, writer = NULL
      WHERE group_hash = :groupHash AND key_hash = :keyHash
      """;

  private static final String NEXT_GROUP =
      "SELECT group_name, group_hash FROM millrace_key_value WHERE group_hash > :after AND "
          + THERE
          + " ORDER BY group_hash LIMIT 1";

  private static final String DELETE_EXPIRED =
      """
      DELETE FROM millrace_key_value WHERE (group_hash, key_hash) IN (
        SELECT group_hash, key_hash FROM millrace_key_value
        WHERE expires_at <= (SELECT :now - CAST(:age AS bigint) * INTERVAL '0.000001' SECOND)
        ORDER BY expires_at LIMIT :limit)
      """;

  private final Jdbc jdbc;

  SqlKeyValueStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Optional<KeyValue> get(KeyId id) {
    return jdbc.run("read a key", session -> session.first(GET, key(id), SqlKeyValueStore::value));
  }

  @Override
  public KeyWriteResult put(Put put, @Nullable Fence fence) {
    return jdbc.transaction(
        "write a key",
        session ->
            FenceSql.lockAndCheck(session, fence)
                ? write(session, put)
                : new KeyWriteResult.Fenced());
  }

  /** Writes values in the order in which all transactions lock them. */
  static void writeAttached(SqlSession session, List<AttachedRow<Put>> rows) throws SQLException {
    List<Put> sorted = new ArrayList<>();
    rows.forEach(row -> sorted.add(row.write()));
    sorted.sort(
        Comparator.comparing((Put put) -> KeyValueRules.hash(put.id().group()))
            .thenComparing(put -> KeyValueRules.hash(put.id().key())));
    for (Put put : sorted) {
      write(session, put);
    }
  }

  private static KeyWriteResult write(SqlSession session, Put put) throws SQLException {
    while (true) {
      Found found = session.first(FIND + " FOR UPDATE", key(put.id()), Found::read).orElse(null);
      KeyValueRules.StoredValue storedValue = found == null ? null : found.row;
      KeyWriteResult objection =
          KeyValueRules.objection(put, storedValue, found == null ? Instant.EPOCH : found.now);
      if (objection != null) {
        return objection;
      }
      if (storedValue != null) {
        session.update(UPDATE, params(put));
        return new KeyWriteResult.Written(storedValue.value().version() + 1);
      }
      if (session.insertIfAbsent(INSERT, params(put))) {
        return new KeyWriteResult.Written(1);
      }
      // Another transaction was faster; now there is a row to read.
    }
  }

  @Override
  public KeyWriteResult delete(KeyId id, @Nullable Long version, @Nullable Fence fence) {
    return jdbc.transaction(
        "delete a key",
        session -> {
          if (!FenceSql.lockAndCheck(session, fence)) {
            return new KeyWriteResult.Fenced();
          }
          Found found = session.first(FIND + " FOR UPDATE", key(id), Found::read).orElse(null);
          KeyValue current = found == null ? null : found.row.at(found.now);
          if (current == null || (version != null && version != current.version())) {
            return new KeyWriteResult.Refused(current);
          }
          session.update(DELETE, key(id));
          return new KeyWriteResult.Written(current.version());
        });
  }

  @Override
  public Page<KeyValue> list(KeyQuery query) {
    KeyQuery.Cursor start = query.start();
    StringBuilder sql = new StringBuilder(LISTED).append("WHERE group_hash = :groupHash AND ");
    Params params =
        Params.of("groupHash", KeyValueRules.hash(query.group()))
            .set("limit", query.limit() + 1)
            .set("bytes", QueryStore.PAGE_BYTES);
    sql.append(THERE);
    if (query.from() != null) {
      sql.append(" AND modified_at >= :from");
      params.set("from", ColumnTimes.limited(query.from()));
    }
    if (query.to() != null) {
      sql.append(" AND modified_at < :to");
      params.set("to", ColumnTimes.limited(query.to()));
    }
    if (!query.statuses().isEmpty()) {
      sql.append(" AND status = ANY(CAST(:statuses AS varchar ARRAY))");
      params.texts("statuses", query.statuses(), KeyStatus::code);
    }
    if (start != null) {
      sql.append(
          " AND modified_at <= :before AND (modified_at < :before OR key_hash < :beforeKey)");
      params.set("before", ColumnTimes.limited(start.modified())).set("beforeKey", start.keyHash());
    }
    sql.append(" ORDER BY modified_at DESC, key_hash DESC LIMIT :limit").append(WITHIN_A_PAGE);
    List<Listed> found =
        jdbc.run("list keys", session -> session.query(sql.toString(), params, Listed::read));
    List<KeyValue> items = found.stream().map(Listed::value).limit(query.limit()).toList();
    boolean more = !found.isEmpty() && found.getFirst().matching > items.size();
    return new Page<>(items, more ? KeyValueRules.cursor(items.getLast()) : null);
  }

  @Override
  public List<String> groups(@Nullable String after, int limit) {
    return jdbc.run(
        "list groups of keys",
        session -> {
          List<String> groups = new ArrayList<>();
          String from = after == null ? "" : KeyValueRules.hash(after);
          while (groups.size() < limit) {
            Optional<String> next =
                session.first(
                    NEXT_GROUP, Params.of("after", from), row -> row.getString("group_name"));
            if (next.isEmpty()) {
              break;
            }
            groups.add(next.get());
            from = KeyValueRules.hash(next.get());
          }
          return groups;
        });
  }

  @Override
  public int deleteExpired(int limit) {
    return jdbc.transaction(
        "delete expired keys",
        session ->
            session.update(
                DELETE_EXPIRED,
                Params.of("age", ColumnTimes.micros(REMEMBERED)).set("limit", limit)));
  }

  private static Params key(KeyId id) {
    return Params.of("groupHash", KeyValueRules.hash(id.group()))
        .set("keyHash", KeyValueRules.hash(id.key()));
  }

  private static Params params(Put put) {
    KeyContent content = put.content();
    Duration expires = content.expiresAfter();
    return key(put.id())
        .set("group", put.id().group())
        .set("key", put.id().key())
        .set("content", content.value())
        .set("status", content.status().code())
        .set("writer", put.writer())
        .set("expiresAfter", expires == null ? null : ColumnTimes.micros(expires));
  }

  private record Found(KeyValueRules.StoredValue row, Instant now) {
    static Found read(ResultSet row) throws SQLException {
      return new Found(
          new KeyValueRules.StoredValue(value(row), row.getString("writer")),
          ColumnTimes.read(row, "now"));
    }
  }

  /**
   * A value of a page.
   *
   * @param matching how many values there are from the first of the page on, up to one more than
   *     its limit
   */
  private record Listed(KeyValue value, long matching) {
    static Listed read(ResultSet row) throws SQLException {
      return new Listed(SqlKeyValueStore.value(row), row.getLong("matching"));
    }
  }

  private static KeyValue value(ResultSet row) throws SQLException {
    return new KeyValue(
        new KeyId(row.getString("group_name"), row.getString("key_name")),
        row.getString("content"),
        KeyStatus.ofCode(row.getString("status")),
        row.getLong("version"),
        ColumnTimes.readOrNull(row, "expires_at"),
        ColumnTimes.read(row, "created_at"),
        ColumnTimes.read(row, "modified_at"));
  }
}
