package io.millrace.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The tables of a workflow framework, as its object mapper creates them, and rows for them. */
public final class SourceFixture implements AutoCloseable {

  private static final String VARIABLE = "MILLRACE_TEST_POSTGRES_URL";

  private static final String TABLES =
      """
      CREATE TABLE "INSIGHTS_WORKFLOW_TYPE" (
        id int PRIMARY KEY, workflowtype varchar(255) NOT NULL UNIQUE);
      CREATE TABLE "INSIGHTS_WORKFLOW_TASK" (
        taskid int PRIMARY KEY, description varchar(255), mqchannel varchar(255),
        componentname varchar(255), dependency int,
        workflowtype varchar(255) REFERENCES "INSIGHTS_WORKFLOW_TYPE" (workflowtype));
      CREATE TABLE "INSIGHTS_WORKFLOW_CONFIG" (
        workflowid varchar(255) PRIMARY KEY, workflowtype varchar(255), scheduletype varchar(255),
        reoccurence boolean, lastrun bigint, nextrun bigint, runimmediate boolean,
        status varchar(255), isactive boolean);
      CREATE TABLE "INSIGHTS_WORKFLOW_TASK_SEQUENCE" (
        id int PRIMARY KEY, workflowid varchar(255) REFERENCES "INSIGHTS_WORKFLOW_CONFIG",
        taskid int REFERENCES "INSIGHTS_WORKFLOW_TASK", sequence int, nexttask int);
      CREATE TABLE "INSIGHTS_WORKFLOW_EXECUTION_HISTORY" (
        id int PRIMARY KEY, executionid bigint NOT NULL,
        workflowid varchar(255) REFERENCES "INSIGHTS_WORKFLOW_CONFIG", currenttask int,
        starttime bigint, endtime bigint, taskstatus varchar(255), statuslog varchar(5000),
        requestmessage varchar(255), retrycount int);
      CREATE TABLE "INSIGHTS_ASSESSMENT_CONFIGURATION" (
        configid int PRIMARY KEY, asseementreportname varchar(255) NOT NULL UNIQUE,
        startdate bigint, enddate bigint,
        workflowid varchar(255) REFERENCES "INSIGHTS_WORKFLOW_CONFIG");
      """;

  private final Connection connection;
  private final String url;
  private int ids;

  private SourceFixture(String url) throws SQLException {
    this.url = url;
    this.connection = DriverManager.getConnection(url);
    execute(TABLES);
  }

  /** Creates an empty source on PostgreSQL or on H2. */
  public static SourceFixture create(boolean postgres) throws SQLException {
    return new SourceFixture(fresh(postgres));
  }

  /** Returns the URL of an empty database or schema. */
  static String fresh(boolean postgres) throws SQLException {
    if (!postgres) {
      return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }
    String server = System.getenv(VARIABLE);
    assertThat(server)
        .as(VARIABLE + " names a PostgreSQL database for tests; script/test starts one")
        .isNotNull();
    String schema = "import_" + UUID.randomUUID().toString().replace("-", "");
    try (Connection connection = DriverManager.getConnection(server);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    return server + (server.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  static void remove(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          url.startsWith("jdbc:h2:")
              ? "SHUTDOWN"
              : "DROP SCHEMA " + url.substring(url.lastIndexOf('=') + 1) + " CASCADE");
    }
  }

  public String url() {
    return url;
  }

  public InsightsSource open() {
    return InsightsSource.open(url, null, null, null);
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void insert(String table, Object... values) throws SQLException {
    String marks = "?" + ", ?".repeat(values.length - 1);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO \"INSIGHTS_" + table + "\" VALUES (" + marks + ")")) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  /** Adds a type and its three tasks KPI (1), PDF (2) and EMAIL (3). */
  public void reportTasks(String component) throws SQLException {
    type("Report");
    task(1, "REPORT_KPI_Execute", "WORKFLOW.TASK.KPI", component, "Report");
    task(2, "REPORT_PDF_Execute", "WORKFLOW.TASK.PDF", component, "Report");
    task(3, "REPORT_EMAIL_Execute", "WORKFLOW.TASK.EMAIL", component, "Report");
  }

  void type(String name) throws SQLException {
    insert("WORKFLOW_TYPE", ++ids, name);
  }

  void task(int id, String description, String channel, String component, String type)
      throws SQLException {
    insert("WORKFLOW_TASK", id, description, channel, component, id, type);
  }

  /** Adds an active, recurring workflow with these tasks in their order. */
  public void workflow(String id, String frequency, String status, String nextRun, int... tasks)
      throws SQLException {
    workflow(id, frequency, status, nextRun, null, true, tasks);
  }

  void workflow(
      String id,
      String frequency,
      String status,
      String nextRun,
      String lastRun,
      boolean recurs,
      int... tasks)
      throws SQLException {
    insert(
        "WORKFLOW_CONFIG",
        id,
        "Report",
        frequency,
        recurs,
        seconds(lastRun),
        seconds(nextRun),
        false,
        status,
        true);
    for (int i = 0; i < tasks.length; i++) {
      sequenceTask(id, i + 1, tasks[i], i + 1 < tasks.length ? tasks[i + 1] : -1);
    }
  }

  void change(String id, String assignment) throws SQLException {
    execute(
        "UPDATE \"INSIGHTS_WORKFLOW_CONFIG\" SET "
            + assignment
            + " WHERE workflowid = '"
            + id.replace("'", "''")
            + "'");
  }

  void sequenceTask(String workflow, Integer sequence, Integer task, Integer next)
      throws SQLException {
    insert("WORKFLOW_TASK_SEQUENCE", ++ids, workflow, task, sequence, next);
  }

  void dates(String workflow, String start, String end) throws SQLException {
    insert(
        "ASSESSMENT_CONFIGURATION", ++ids, "report " + ids, seconds(start), seconds(end), workflow);
  }

  void ran(String workflow, int task, String at) throws SQLException {
    long start = Instant.parse(at).toEpochMilli();
    insert(
        "WORKFLOW_EXECUTION_HISTORY",
        ++ids,
        start,
        workflow,
        task,
        start,
        start + 1_500,
        "COMPLETED",
        "",
        "{}",
        0);
  }

  private static Long seconds(String instant) {
    return instant == null ? Long.valueOf(0) : Instant.parse(instant).getEpochSecond();
  }

  /** Returns the content of all tables. */
  List<String> content() throws SQLException {
    List<String> rows = new ArrayList<>();
    for (String table : List.of("TYPE", "TASK", "CONFIG", "TASK_SEQUENCE", "EXECUTION_HISTORY")) {
      rows.addAll(rows(connection, "\"INSIGHTS_WORKFLOW_" + table + "\""));
    }
    return rows;
  }

  static List<String> rows(Connection connection, String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT * FROM " + table + " ORDER BY 1, 2")) {
      while (found.next()) {
        StringBuilder row = new StringBuilder(table);
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.append(" | ").append(found.getString(i));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    remove(url);
  }
}
