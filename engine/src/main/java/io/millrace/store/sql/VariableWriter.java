package io.millrace.store.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A writer of variables of instances whose rows the transaction has locked or created. */
final class VariableWriter {

  /**
   * A variable of an instance.
   *
   * @param json null for a removed one
   */
  record Variable(long instanceId, String name, @Nullable String json) {}

  private static final String VARIABLES =
      """
      UNNEST(CAST(:instanceIds AS bigint ARRAY), CAST(:names AS varchar ARRAY),
             CAST(:jsons AS text ARRAY), CAST(:searches AS varchar ARRAY))
        AS d(instance_id, name, json, search_value)
      """;

  private static final String INSERT =
      """
      INSERT INTO millrace_variable (instance_id, name, "value", search_value)
      SELECT d.instance_id, d.name, d.json, d.search_value FROM
      """
          + VARIABLES;

  private static final String MERGE =
      """
      MERGE INTO millrace_variable v
      USING (SELECT d.instance_id, d.name, d.json, d.search_value FROM
      """
          + VARIABLES
          + Params.EXPECT_FEW
          + """
          ) d ON (v.instance_id = d.instance_id AND v.name = d.name)
          WHEN MATCHED THEN UPDATE SET "value" = d.json, search_value = d.search_value
          WHEN NOT MATCHED THEN INSERT (instance_id, name, "value", search_value)
            VALUES (d.instance_id, d.name, d.json, d.search_value)
          """;

  private static final String DELETE =
      "DELETE FROM millrace_variable WHERE instance_id = :instanceId AND name = :name";

  private VariableWriter() {}

  static List<Variable> of(long instanceId, Map<String, ? extends @Nullable String> jsons) {
    List<Variable> variables = new ArrayList<>(jsons.size());
    new TreeMap<>(jsons)
        .forEach((name, json) -> variables.add(new Variable(instanceId, name, json)));
    return variables;
  }

  /** Adds variables to new instances. */
  static void insert(SqlSession session, List<Variable> variables) throws SQLException {
    if (!variables.isEmpty()) {
      session.update(INSERT, params(variables));
    }
  }

  /** Adds, replaces and removes variables. */
  static void change(SqlSession session, List<Variable> variables) throws SQLException {
    List<Variable> set = variables.stream().filter(variable -> variable.json != null).toList();
    if (!set.isEmpty()) {
      session.update(MERGE, params(set));
    }
    List<Params> removed =
        variables.stream()
            .filter(variable -> variable.json == null)
            .map(
                variable -> Params.of("instanceId", variable.instanceId).set("name", variable.name))
            .toList();
    if (!removed.isEmpty()) {
      session.batch(DELETE, removed);
    }
  }

  private static Params params(List<Variable> variables) {
    return Params.none()
        .longs("instanceIds", variables, Variable::instanceId)
        .texts("names", variables, Variable::name)
        .texts("jsons", variables, Variable::json)
        .texts("searches", variables, v -> ColumnTexts.searchable(Objects.requireNonNull(v.json)));
  }
}
