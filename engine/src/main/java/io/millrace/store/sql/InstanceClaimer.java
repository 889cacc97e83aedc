package io.millrace.store.sql;

import io.millrace.instance.InboxMessage;
import io.millrace.instance.Lease;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.InboxRules;
import io.millrace.store.LoadLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Claims due instances and loads the data that their handlers may read. */
final class InstanceClaimer {

  /** A claimed instance, without the data stored outside its row. */
  record ClaimedRow(
      WorkflowInstance instance, @Nullable String input, long inputBytes, Instant now) {
    static final Comparator<ClaimedRow> BY_URGENCY =
        Comparator.comparingInt((ClaimedRow claimed) -> -claimed.instance.origin().priority())
            .thenComparing(InstanceClaimer::due)
            .thenComparingLong(claimed -> claimed.instance.id());

    static ClaimedRow read(ResultSet row) throws SQLException {
      return new ClaimedRow(
          RowMappers.instance(row),
          row.getString("input"),
          row.getLong("input_bytes"),
          ColumnTimes.read(row, "now"));
    }

    boolean hasLargeInput() {
      return inputBytes > LoadLimits.SMALL_INPUT;
    }

    boolean hasSteps() {
      return instance.details().stepsSeq() == instance.position().enteredSeq();
    }

    Fence fence() {
      Lease lease = instance.lease();
      return new Fence(
          instance.id(),
          Objects.requireNonNull(lease.executorId()),
          lease.leaseVersion(),
          lease.seq());
    }
  }

  /** Expression for the input of a row {@code w} unless it is large, and its size. */
  static final String INPUT =
      "CASE WHEN OCTET_LENGTH(w.input) <= "
          + LoadLimits.SMALL_INPUT
          + " THEN w.input END AS input, OCTET_LENGTH(w.input) AS input_bytes";

  /**
   * Query for the first messages of each inbox, by the rule of {@link InboxRules#page}. Only their
   * payloads are sent; the database knows their sizes without reading them.
   */
  private static final String INBOX =
      "SELECT "
          + RowMappers.INBOX_MESSAGE
          + """
           FROM (
            SELECT s.*, SUM(s.size) OVER (ORDER BY s.instance_id, s.urgency, s.id) AS all_bytes
            FROM (
              SELECT s.*, ROW_NUMBER() OVER own AS place, SUM(s.size) OVER own AS own_bytes
              FROM (
                SELECT s.*, CASE s.kind WHEN 'pause' THEN 0 WHEN 'wake' THEN 1 ELSE 2 END AS urgency,
                  COALESCE(OCTET_LENGTH(s.payload), 0) AS size
                FROM millrace_message s
                WHERE s.instance_id = ANY(CAST(:ids AS bigint ARRAY)) AND s.consumed_seq IS NULL) s
              WINDOW own AS (PARTITION BY s.instance_id ORDER BY s.urgency, s.id)) s
            WHERE place <= :page AND own_bytes <= :pageBytes) s
          WHERE urgency < 2 OR all_bytes <= CAST(:budget AS bigint)
          ORDER BY instance_id, id
          """;

  private InstanceClaimer() {}

  private static Instant due(ClaimedRow claimedRow) {
    return Objects.requireNonNull(claimedRow.instance.nextActivation());
  }

  static ClaimResult claim(SqlSession session, Dialect dialect, ClaimRequest request)
      throws SQLException {
    List<ClaimedRow> rows = dialect.claim(session, request);
    List<ClaimResult.Claimed> claimed = load(session, rows, request.maxBytes());
    if (claimed.size() < rows.size() || rows.size() >= request.limit()) {
      return new ClaimResult(rows.getFirst().now, claimed, null, claimed.size() < rows.size());
    }
    Dialect.NextDue nextDue = dialect.upcoming(session, request);
    return new ClaimResult(nextDue.now(), claimed, nextDue.nextDue());
  }

  /**
   * Loads the data of the first of {@code rows}, as far as {@code budget} allows, and releases the
   * others. Reads after the claim, so that it misses nothing that was committed before.
   */
  static List<ClaimResult.Claimed> load(SqlSession session, List<ClaimedRow> rows, long budget)
      throws SQLException {
    ClaimedTexts inputs =
        ClaimedTexts.load(session, ClaimedTexts.INPUTS, rows, ClaimedRow::hasLargeInput, budget);
    ClaimedTexts variables =
        ClaimedTexts.load(
            session,
            ClaimedTexts.VARIABLES,
            rows,
            one -> one.instance.details().variableCount() > 0,
            budget);
    ClaimedTexts steps =
        ClaimedTexts.load(session, ClaimedTexts.STEPS, rows, ClaimedRow::hasSteps, budget);
    int firstIncomplete =
        Math.min(
            inputs.firstIncomplete(),
            Math.min(variables.firstIncomplete(), steps.firstIncomplete()));
    // An instance that is too large even alone is kept, so that it is parked.
    boolean firstIsTooLarge = firstIncomplete == 0;
    int fitting = Math.min(firstIsTooLarge ? 1 : firstIncomplete, rows.size());
    List<ClaimedRow> kept = rows.subList(0, fitting);
    SqlInstanceStore.release(
        session, rows.subList(fitting, rows.size()).stream().map(ClaimedRow::fence).toList());
    Map<Long, List<InboxMessage>> messagesByInstance = messagesByInstance(session, kept, budget);
    List<ClaimResult.Claimed> claimed = new ArrayList<>(fitting);
    for (ClaimedRow one : kept) {
      long id = one.instance.id();
      ClaimResult.ClaimedData data =
          new ClaimResult.ClaimedData(
              one.hasLargeInput() ? inputs.input(id) : one.input,
              variables.of(id),
              messagesByInstance.getOrDefault(id, List.of()),
              steps.of(id));
      claimed.add(new ClaimResult.Claimed(one.instance, data, firstIsTooLarge));
    }
    return claimed;
  }

  private static Map<Long, List<InboxMessage>> messagesByInstance(
      SqlSession session, List<ClaimedRow> rows, long budget) throws SQLException {
    Map<Long, List<InboxMessage>> messagesByInstance = new HashMap<>();
    List<Long> ids =
        rows.stream()
            .map(ClaimedRow::instance)
            .filter(instance -> instance.details().inboxCount() > 0)
            .map(WorkflowInstance::id)
            .toList();
    if (!ids.isEmpty()) {
      for (InboxMessage message : unconsumedMessages(session, ids, budget)) {
        messagesByInstance
            .computeIfAbsent(message.instanceId(), id -> new ArrayList<>())
            .add(message);
      }
    }
    return messagesByInstance;
  }

  private static List<InboxMessage> unconsumedMessages(
      SqlSession session, List<Long> ids, long budget) throws SQLException {
    return session.query(
        INBOX,
        Params.of("page", InboxRules.PAGE)
            .set("pageBytes", InboxRules.PAGE_BYTES)
            .set("budget", budget)
            .longs("ids", ids),
        RowMappers::inboxMessage);
  }

  static List<InboxMessage> unconsumedMessages(SqlSession session, long instanceId)
      throws SQLException {
    return unconsumedMessages(session, List.of(instanceId), InboxRules.PAGE_BYTES);
  }
}
