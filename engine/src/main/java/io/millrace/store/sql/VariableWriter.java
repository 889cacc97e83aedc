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
        AS d(workflow_id, name, json, search)
      """;

  private static final String INSERT =
      """
      INSERT INTO millrace_workflow_variable (workflow_id, name, "value", search)
      SELECT d.workflow_id, d.name, d.json, d.search FROM
      """
          + VARIABLES;

  private static final String MERGE =
      """
      MERGE INTO millrace_workflow_variable v
      USING (SELECT d.workflow_id, d.name, d.json, d.search FROM
      """
          + VARIABLES
          + Params.OPTIMIZATION_FENCE
          + """
          ) d ON (v.workflow_id = d.workflow_id AND v.name = d.name)
          WHEN MATCHED THEN UPDATE SET "value" = d.json, search = d.search
          WHEN NOT MATCHED THEN INSERT (workflow_id, name, "value", search)
            VALUES (d.workflow_id, d.name, d.json, d.search)
          """;

  private static final String DELETE =
      "DELETE FROM millrace_workflow_variable WHERE workflow_id = :instanceId AND name = :name";

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
