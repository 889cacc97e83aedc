package io.millrace.store.sql;

import io.millrace.instance.Origin;
import io.millrace.store.AttachedWrite;
import io.millrace.store.ExternalKey;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Inserts instances, each external id once. */
final class InstanceInserter {

  /**
   * An instance to be inserted.
   *
   * @param index its place in the request
   */
  record NewRow(int index, NewInstance instance) {
    @Nullable ExternalKey externalKey() {
      return ExternalKey.of(instance.origin());
    }
  }

  /** A row that was inserted. */
  record InsertedRow(NewRow row, long id, Instant at) {}

  private record Known(long id, @Nullable String payloadHash) {}

  /** The rows as a table {@code d}, with the columns of {@link #params}. */
  static final String ROWS =
      """
      (SELECT v.*, COALESCE(CAST(v.due_at AS timestamp with time zone),
                            v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
       FROM (SELECT v.*, (SELECT :now) AS now
             FROM UNNEST(
               CAST(:keys AS bigint ARRAY), CAST(:types AS varchar ARRAY),
               CAST(:versions AS integer ARRAY), CAST(:definitionIds AS integer ARRAY),
               CAST(:executorGroups AS varchar ARRAY), CAST(:priorities AS integer ARRAY),
               CAST(:businessKeys AS varchar ARRAY), CAST(:externalIds AS varchar ARRAY),
               CAST(:parentIds AS bigint ARRAY), CAST(:payloadHashes AS varchar ARRAY),
               CAST(:inputs AS text ARRAY), CAST(:states AS varchar ARRAY),
               CAST(:dueAts AS varchar ARRAY), CAST(:dueAfters AS bigint ARRAY),
               CAST(:holders AS bigint ARRAY), CAST(:variables AS integer ARRAY))
               AS v(row_key, type, version, definition_id, executor_group, priority, business_key,
                    external_id, parent_id, payload_hash, input, state, due_at, due_after, holder,
                    variable_count)) v) d
      """;

  /**
   * The rows as a table like {@link #ROWS}, for {@linkplain #arePlain plain} rows, which differ in
   * their input only.
   */
  static final String PLAIN_ROWS =
      """
      (SELECT v.*, CAST(:type AS varchar) AS type, CAST(:version AS integer) AS version,
              CAST(:definitionId AS integer) AS definition_id,
              CAST(:executorGroup AS varchar) AS executor_group,
              CAST(:priority AS integer) AS priority, CAST(NULL AS varchar) AS business_key,
              CAST(NULL AS varchar) AS external_id, CAST(NULL AS bigint) AS parent_id,
              CAST(NULL AS varchar) AS payload_hash, CAST(:state AS varchar) AS state,
              v.now + CAST(:dueAfter AS bigint) * INTERVAL '0.000001' SECOND AS due,
              CAST(:holder AS bigint) AS holder, 0 AS variable_count
       FROM (SELECT v.*, (SELECT :now) AS now
             FROM UNNEST(CAST(:keys AS bigint ARRAY), CAST(:inputs AS text ARRAY))
               AS v(row_key, input)) v) d
      """;

  static final String COLUMNS =
      """
      id, type, version, definition_id, executor_group, priority, business_key, external_id,
      parent_id, payload_hash, input, state, status, next_activation_at, executor_id, lease_version,
      attempt, created_at, modified_at, entered_at, variable_count
      """;

  /** The values of {@link #COLUMNS} after the id. */
  static final String VALUES =
      """
      d.type, d.version, d.definition_id, d.executor_group, d.priority, d.business_key,
      d.external_id, d.parent_id, d.payload_hash, d.input, d.state, 'created', d.due, d.holder,
      CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END, CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END,
      d.now, d.now, d.now, d.variable_count
      """;

  private static final String FIND =
      """
      SELECT w.id, w.payload_hash, w.type, w.executor_group, w.external_id
      FROM (SELECT d.* FROM UNNEST(CAST(:types AS varchar ARRAY),
              CAST(:executorGroups AS varchar ARRAY), CAST(:externalIds AS varchar ARRAY))
              AS d(type, executor_group, external_id)
      """
          + Params.EXPECT_FEW
          + """
          ) d JOIN millrace_instance w ON w.type = d.type AND w.executor_group = d.executor_group
            AND w.external_id = d.external_id
          """;

  /** Longest wait of a start for another transaction with the same external id. */
  static final Duration LOCK_WAIT = Duration.ofSeconds(1);

  /** Longest wait if other writes wait for the end of the transaction. */
  static final Duration BATCH_LOCK_WAIT = Duration.ofMillis(20);

  /** Wait of a start that only finds out if it is blocked: PostgreSQL takes 0 for no limit. */
  static final Duration MIN_LOCK_WAIT = Duration.ofMillis(1);

  private static final int CHUNK = 1_000;
  private static final int ROUNDS = 10;

  private InstanceInserter() {}

  /** Returns true if one insert is enough, so that it needs no transaction around it. */
  static boolean isOneStatement(List<NewInstance> instances) {
    return instances.size() <= CHUNK
        && instances.stream()
            .allMatch(instance ->
                instance.variables().isEmpty()
                    && instance.attached().isEmpty()
                    && (instance.origin().externalId() == null || instances.size() == 1));
  }

  static boolean haveExternalIds(List<NewInstance> instances) {
    return instances.stream().anyMatch(instance -> instance.origin().externalId() != null);
  }

  /** Starts instances. The results are in the order of {@code instances}. */
  static List<StartResult> start(SqlSession session, Dialect dialect, List<NewInstance> instances)
      throws SQLException {
    Map<Integer, StartResult> results = new HashMap<>();
    List<NewRow> open = inLockOrder(instances);
    // A conflicting instance may be gone when it is looked up: then insert again.
    for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
      insert(session, dialect, open, results);
      open = withoutResult(open, results);
      findExisting(session, open, results);
      open = withoutResult(open, results);
    }
    if (!open.isEmpty()) {
      // Another transaction conflicts; the caller retries from the start, as after a deadlock.
      throw new SQLTransactionRollbackException(
          "Instances with the external id " + open.getFirst().externalKey() + " come and go",
          "40001");
    }
    return IntStream.range(0, instances.size()).mapToObj(i -> resultOf(results, i)).toList();
  }

  private static StartResult resultOf(Map<Integer, StartResult> results, int index) {
    StartResult result = results.get(index);
    if (result == null) {
      throw new IllegalStateException("No result for start " + index);
    }
    return result;
  }

  /**
   * Returns the rows in one order for all transactions: two that insert the same external ids in
   * another order would deadlock.
   */
  private static List<NewRow> inLockOrder(List<NewInstance> instances) {
    return IntStream.range(0, instances.size())
        .mapToObj(i -> new NewRow(i, instances.get(i)))
        .sorted(
            Comparator.comparing(
                NewRow::externalKey, Comparator.nullsFirst(Comparator.naturalOrder())))
        .toList();
  }

  private static void insert(
      SqlSession session, Dialect dialect, List<NewRow> rows, Map<Integer, StartResult> results)
      throws SQLException {
    List<VariableWriter.Variable> variables = new ArrayList<>();
    List<AttachedRow<?>> attached = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += CHUNK) {
      List<NewRow> chunk = rows.subList(from, Math.min(from + CHUNK, rows.size()));
      for (InsertedRow insertedRow : dialect.insert(session, chunk)) {
        NewInstance instance = insertedRow.row.instance;
        results.put(insertedRow.row.index, new StartResult.Created(insertedRow.id, insertedRow.at));
        variables.addAll(VariableWriter.of(insertedRow.id, instance.variables()));
        for (AttachedWrite write : instance.attached()) {
          attached.add(new AttachedRow<>(insertedRow.id, 0, instance.startState(), write));
        }
      }
    }
    VariableWriter.insert(session, variables);
    session.hooks().writeAttached(session, attached);
  }

  private static List<NewRow> withoutResult(List<NewRow> rows, Map<Integer, StartResult> results) {
    return rows.stream().filter(newRow -> !results.containsKey(newRow.index)).toList();
  }

  private static void findExisting(
      SqlSession session, List<NewRow> rows, Map<Integer, StartResult> results)
      throws SQLException {
    Map<ExternalKey, Known> known = find(session, rows);
    for (NewRow newRow : rows) {
      Known existing = known.get(newRow.externalKey());
      if (existing != null) {
        boolean same = newRow.instance.samePayload(existing.payloadHash);
        results.put(newRow.index, new StartResult.Existing(existing.id, same));
      }
    }
  }

  /** Returns the instances that exist with external ids of {@code rows}. */
  private static Map<ExternalKey, Known> find(SqlSession session, List<NewRow> rows)
      throws SQLException {
    List<ExternalKey> keys = externalKeys(rows);
    Map<ExternalKey, Known> known = new HashMap<>();
    if (!keys.isEmpty()) {
      session.forEachRow(
          FIND,
          Params.none()
              .texts("types", keys, ExternalKey::type)
              .texts("executorGroups", keys, ExternalKey::executorGroup)
              .texts("externalIds", keys, ExternalKey::externalId),
          row ->
              known.put(
                  new ExternalKey(
                      row.getString("type"),
                      row.getString("executor_group"),
                      row.getString("external_id")),
                  new Known(row.getLong("id"), row.getString("payload_hash"))));
    }
    return known;
  }

  /** Returns the rows that conflict with no stored instance and no earlier row. */
  static List<NewRow> unknown(SqlSession session, List<NewRow> rows) throws SQLException {
    Map<ExternalKey, Known> known = find(session, rows);
    List<NewRow> unknown = new ArrayList<>();
    for (NewRow newRow : rows) {
      ExternalKey key = newRow.externalKey();
      if (key == null || known.putIfAbsent(key, new Known(0, null)) == null) {
        unknown.add(newRow);
      }
    }
    return unknown;
  }

  private static List<ExternalKey> externalKeys(List<NewRow> rows) {
    List<ExternalKey> keys = new ArrayList<>();
    for (NewRow newRow : rows) {
      ExternalKey key = newRow.externalKey();
      if (key != null) {
        keys.add(key);
      }
    }
    return keys.stream().distinct().toList();
  }

  /** Returns true if all rows are of one kind and differ only in their input. */
  static boolean arePlain(List<NewRow> rows) {
    NewInstance first = rows.getFirst().instance;
    return isPlain(first) && rows.stream().allMatch(newRow -> isLike(newRow.instance, first));
  }

  private static boolean isPlain(NewInstance instance) {
    Origin origin = instance.origin();
    return origin.businessKey() == null
        && origin.externalId() == null
        && origin.parentId() == null
        && instance.variables().isEmpty()
        && instance.attached().isEmpty()
        && ColumnTimes.after(instance.due()) != null;
  }

  private static boolean isLike(NewInstance instance, NewInstance first) {
    return instance.origin().equals(first.origin())
        && instance.definitionId() == first.definitionId()
        && instance.startState().equals(first.startState())
        && instance.due().equals(first.due())
        && Objects.equals(instance.leasedBy(), first.leasedBy())
        && instance.attached().isEmpty()
        && instance.variables().isEmpty();
  }

  /** Returns the parameters of {@link #PLAIN_ROWS}. */
  static Params plainParams(List<NewRow> rows, List<Long> keys) {
    NewInstance first = rows.getFirst().instance;
    return Params.of("type", first.origin().type())
        .set("version", first.origin().version())
        .set("definitionId", first.definitionId())
        .set("executorGroup", first.origin().executorGroup())
        .set("priority", first.origin().priority())
        .set("state", first.startState())
        .set("dueAfter", ColumnTimes.after(first.due()))
        .set("holder", first.leasedBy())
        .longs("keys", keys)
        .texts("inputs", rows, newRow -> newRow.instance.input());
  }

  /**
   * Returns the parameters of {@link #ROWS}.
   *
   * @param keys a number for each row, by which the dialect identifies it
   */
  static Params params(List<NewRow> rows, List<Long> keys) {
    return Params.none()
        .longs("keys", keys)
        .texts("types", rows, newRow -> newRow.instance.origin().type())
        .ints("versions", rows, newRow -> newRow.instance.origin().version())
        .ints("definitionIds", rows, newRow -> newRow.instance.definitionId())
        .texts("executorGroups", rows, newRow -> newRow.instance.origin().executorGroup())
        .ints("priorities", rows, newRow -> newRow.instance.origin().priority())
        .texts("businessKeys", rows, newRow -> newRow.instance.origin().businessKey())
        .texts("externalIds", rows, newRow -> newRow.instance.origin().externalId())
        .longs("parentIds", rows, newRow -> newRow.instance.origin().parentId())
        .texts(
            "payloadHashes",
            rows,
            newRow -> newRow.externalKey() == null ? null : newRow.instance.payloadHash())
        .texts("inputs", rows, newRow -> newRow.instance.input())
        .texts("states", rows, newRow -> newRow.instance.startState())
        .texts("dueAts", rows, newRow -> ColumnTimes.at(newRow.instance.due()))
        .longs("dueAfters", rows, newRow -> ColumnTimes.after(newRow.instance.due()))
        .longs("holders", rows, newRow -> newRow.instance.leasedBy())
        .ints("variables", rows, newRow -> newRow.instance.variables().size());
  }
}
