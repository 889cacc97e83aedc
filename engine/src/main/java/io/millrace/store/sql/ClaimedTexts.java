package io.millrace.store.sql;

import io.millrace.instance.WorkflowInstance;
import io.millrace.store.LoadLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one kind of claimed instances, loaded in the order of the instances until a number
 * of bytes is reached. The database counts them, so that texts beyond the limit are never sent.
 */
final class ClaimedTexts {

  static final String INPUTS =
      sized(
          """
          SELECT d.place, w.id AS instance_id, 'input' AS name, w.input AS content
          FROM INSTANCES d JOIN millrace_instance w ON w.id = d.instance_id
          """);

  static final String VARIABLES =
      sized(
          """
          SELECT d.place, v.instance_id, v.name, v."value" AS content
          FROM INSTANCES d JOIN millrace_variable v ON v.instance_id = d.instance_id
          """);

  static final String STEPS =
      sized(
          """
          SELECT d.place, s.instance_id, s.name, s.result AS content
          FROM INSTANCES d JOIN millrace_step s
            ON s.instance_id = d.instance_id AND s.entered_seq = d.entered_seq
          """);

  /** A claimed instance with its place in the order of the claim. */
  private record Placed(int place, WorkflowInstance instance) {}

  private final Map<Long, Map<String, String>> byInstance = new HashMap<>();
  private int firstIncomplete = Integer.MAX_VALUE;

  private ClaimedTexts() {}

  private static String sized(String texts) {
    return """
    SELECT instance_id, place, name,
      CASE WHEN so_far <= CASE WHEN place = 0 THEN CAST(:most AS bigint) ELSE CAST(:budget AS bigint) END
        THEN content END AS content
    FROM (
      SELECT t.place, t.instance_id, t.name, t.content,
        SUM(OCTET_LENGTH(t.content)) OVER (ORDER BY t.place) AS so_far
      FROM (TEXTS) t) sized
    """
        .replace("TEXTS", texts.strip())
        .replace(
            "INSTANCES",
            """
            (SELECT d.* FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:enteredSeqs AS integer ARRAY),
               CAST(:places AS integer ARRAY)) AS d(instance_id, entered_seq, place)
            """
                + Params.EXPECT_FEW
                + ")");
  }

  /** Loads the texts of those instances of {@code rows} that have some. */
  static ClaimedTexts load(
      SqlSession session,
      String statement,
      List<InstanceClaimer.ClaimedRow> rows,
      Predicate<InstanceClaimer.ClaimedRow> hasTexts,
      long budget)
      throws SQLException {
    ClaimedTexts texts = new ClaimedTexts();
    List<Placed> having =
        IntStream.range(0, rows.size())
            .filter(place -> hasTexts.test(rows.get(place)))
            .mapToObj(place -> new Placed(place, rows.get(place).instance()))
            .toList();
    if (!having.isEmpty()) {
      session.forEachRow(
          statement,
          Params.of("budget", budget)
              .set("most", LoadLimits.instanceBytes(budget))
              .longs("ids", having, placed -> placed.instance.id())
              .ints("enteredSeqs", having, placed -> placed.instance.position().enteredSeq())
              .ints("places", having, Placed::place),
          texts::add);
    }
    return texts;
  }

  private void add(ResultSet row) throws SQLException {
    String content = row.getString("content");
    if (content == null) {
      firstIncomplete = Math.min(firstIncomplete, row.getInt("place"));
    } else {
      byInstance
          .computeIfAbsent(row.getLong("instance_id"), id -> new TreeMap<>())
          .put(row.getString("name"), content);
    }
  }

  Map<String, String> of(long instanceId) {
    return byInstance.getOrDefault(instanceId, Map.of());
  }

  @Nullable String input(long instanceId) {
    return of(instanceId).get("input");
  }

  /** Returns the place of the first instance whose texts were not all loaded. */
  int firstIncomplete() {
    return firstIncomplete;
  }
}
