package io.millrace.store.sql;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.sql.SqlDoctor.Check;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The checks of a PostgreSQL database. */
final class PostgresDoctor {

  private static final String MISSING =
      """
      SELECT CURRENT_USER || ' lacks ' || STRING_AGG(DISTINCT p.privilege, ', ')
        || ' on ' || c.relname AS missing
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL UNNEST(CASE WHEN c.relkind = 'S' THEN ARRAY['USAGE']
        ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END) AS p(privilege)
      WHERE n.nspname = CURRENT_SCHEMA() AND c.relkind IN ('r', 'S')
        AND c.relname LIKE 'millrace@_%' ESCAPE '@' AND c.relname <> 'millrace_schema'
        AND NOT CASE WHEN c.relkind = 'S' THEN HAS_SEQUENCE_PRIVILEGE(c.oid, p.privilege)
          ELSE HAS_TABLE_PRIVILEGE(c.oid, p.privilege) END
      GROUP BY c.relname ORDER BY c.relname
      """;

  private static final String MAY_CREATE =
      """
      SELECT COALESCE(HAS_SCHEMA_PRIVILEGE(CURRENT_SCHEMA(), 'CREATE'), FALSE) AS may_create
      """;

  private static final String READ_ONLY =
      """
      SELECT pg_is_in_recovery() OR CURRENT_SETTING('transaction_read_only') = 'on' AS read_only
      """;

  private static final String CONNECTIONS =
      """
      SELECT CAST(CURRENT_SETTING('max_connections') AS integer) AS most,
        CAST(CURRENT_SETTING('superuser_reserved_connections') AS integer) AS reserved,
        (SELECT COUNT(*) FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS used
      """;

  private static final String INDEXES =
      """
      SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = CURRENT_SCHEMA() AND i.indisvalid
      """;

  private static final String OLDEST =
      """
      SELECT COALESCE(CAST(EXTRACT(EPOCH FROM MAX(CLOCK_TIMESTAMP() - xact_start)) AS bigint), 0)
        AS seconds
      FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
      """;

  private static final String SETTING = "SELECT CURRENT_SETTING(:name) AS setting";

  private static final Pattern ALL_READ = Pattern.compile("Seq Scan on millrace_instance\\b(?!_)");

  private static final Map<String, InstanceQuery> LISTS =
      Map.of(
          "all",
          InstanceQuery.all(),
          "a type",
          InstanceQuery.all().type("x"),
          "failed ones",
          InstanceQuery.all().status(InstanceStatus.FAILED),
          "a business key",
          InstanceQuery.all().businessKey("x"),
          "children",
          InstanceQuery.all().parent(1));

  private static final List<String> DRIVER_TIMEOUTS = List.of("loginTimeout", "socketTimeout");

  private static final long LONG_TRANSACTION = 600;

  private final SqlDoctor doctor;

  PostgresDoctor(SqlDoctor doctor) {
    this.doctor = doctor;
  }

  /**
   * @param tables true if the tables exist
   */
  void examine(boolean tables) {
    doctor.ask("privileges", session -> privileges(session, tables));
    doctor.add("notifications", PostgresHintDoctor::examine);
    doctor.ask("connections", this::connections);
    doctor.ask("timeouts", PostgresDoctor::timeouts);
    doctor.ask("isolation", PostgresDoctor::isolation);
    doctor.ask("encoding", PostgresDoctor::encoding);
    doctor.ask("durability", PostgresDoctor::durability);
    doctor.ask("vacuum", PostgresDoctor::vacuum);
    if (tables) {
      doctor.ask("indexes", this::indexes);
    }
  }

  private Check privileges(SqlSession session, boolean tables) throws SQLException {
    if (yes(session, READ_ONLY)) {
      return Check.fail(
          "privileges",
          "This database can only be read.",
          "Use the address of the primary, not of a standby.");
    }
    List<String> missing = session.query(MISSING, Params.none(), row -> row.getString("missing"));
    if (!missing.isEmpty()) {
      return Check.fail(
          "privileges",
          "User " + String.join("; ", missing) + ".",
          "Grant them, or connect as the user who owns the tables.");
    }
    boolean mayCreate = yes(session, MAY_CREATE);
    if (doctor.intent().schema() == SchemaMode.CREATE && !mayCreate) {
      String finding = "The user may not create tables in this schema.";
      return tables
          ? Check.warn(
              "privileges",
              finding,
              "A newer version cannot update the tables: grant CREATE, or apply 'millrace schema"
                  + " print' before its first start.")
          : Check.fail(
              "privileges",
              finding,
              "Grant CREATE on the schema, or let an administrator apply the SQL of 'millrace schema"
                  + " print'.");
    }
    return Check.ok("privileges", "The user may do all that is needed.");
  }

  private Check connections(SqlSession session) throws SQLException {
    int wanted = doctor.intent().connections();
    return session
        .first(
            CONNECTIONS,
            Params.none(),
            row -> {
              int usable = row.getInt("most") - row.getInt("reserved");
              int free = usable - row.getInt("used");
              String finding =
                  "The pool may take "
                      + wanted
                      + " connections; "
                      + free
                      + " of "
                      + usable
                      + " are free now.";
              return wanted <= free
                  ? Check.ok("connections", finding)
                  : Check.warn(
                      "connections",
                      finding,
                      "Lower database.poolSize, or raise max_connections, unless this server"
                          + " already runs and holds them.");
            })
        .orElseThrow();
  }

  /**
   * Checks the timeouts of the driver: nothing else ends a handshake with a server that accepts and
   * then stalls.
   */
  private static Check timeouts(SqlSession session) throws SQLException {
    String url = String.valueOf(session.connection().getMetaData().getURL());
    List<String> missing =
        DRIVER_TIMEOUTS.stream()
            .filter(name -> !url.matches(".*[?&]" + name + "=0*[1-9][0-9]*(&.*)?"))
            .toList();
    return missing.isEmpty()
        ? Check.ok("timeouts", "The JDBC URL limits how long a silent server is waited for.")
        : Check.warn(
            "timeouts",
            "The JDBC URL sets no "
                + String.join(" and no ", missing)
                + ": while a proxy accepts connections and stalls, the pool can stay empty.",
            "Add loginTimeout=10 and socketTimeout=60 to the URL, unless the data source sets them"
                + " in another way.");
  }

  private static Check isolation(SqlSession session) throws SQLException {
    String level = setting(session, "transaction_isolation");
    return level.equals("read committed")
        ? Check.ok("isolation", "Transactions are READ COMMITTED.")
        : Check.fail(
            "isolation",
            "Transactions are '" + level + "', expected 'read committed'.",
            "Set default_transaction_isolation of this user or database to 'read committed'.");
  }

  private static Check encoding(SqlSession session) throws SQLException {
    String encoding = setting(session, "server_encoding");
    return encoding.equals("UTF8")
        ? Check.ok("encoding", "Texts are kept in UTF-8.")
        : Check.fail(
            "encoding",
            "Texts are kept in " + encoding + ", expected UTF8.",
            "Create the database with ENCODING 'UTF8'; variables hold any text.");
  }

  private static Check durability(SqlSession session) throws SQLException {
    List<String> off = new ArrayList<>();
    for (String name : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      if (setting(session, name).equals("off")) {
        off.add(name);
      }
    }
    return off.isEmpty()
        ? Check.ok("durability", "A saved transition is on disk.")
        : Check.warn(
            "durability",
            String.join(", ", off)
                + " is off: a crash of the database's machine can undo saved transitions.",
            "Switch it on, unless you may lose what was done last.");
  }

  private static Check vacuum(SqlSession session) throws SQLException {
    long oldest = session.first(OLDEST, Params.none(), row -> row.getLong("seconds")).orElseThrow();
    if (setting(session, "autovacuum").equals("off")) {
      return Check.warn(
          "vacuum",
          "autovacuum is off: the tables will only grow, and become slow.",
          "Switch it on, or run VACUUM ANALYZE often.");
    }
    if (oldest > LONG_TRANSACTION) {
      return Check.warn(
          "vacuum",
          "A transaction has been open for " + oldest + " s: dead rows are kept meanwhile.",
          "Find it in pg_stat_activity by xact_start, and end it.");
    }
    return Check.ok("vacuum", "Dead rows are cleared away.");
  }

  /**
   * Checks for missing indexes. Empty and small tables are read sequentially anyway, so sequential
   * reading is made expensive: a plan that still uses it has no index to use.
   */
  private Check indexes(SqlSession session) throws SQLException {
    Set<String> missing = Schema.indexes(doctor.migrations(), "postgresql");
    session.forEachRow(INDEXES, Params.none(), row -> missing.remove(row.getString("relname")));
    if (!missing.isEmpty()) {
      return Check.fail(
          "indexes",
          "Missing or not valid: " + String.join(", ", missing) + ".",
          "Create them as 'millrace schema print' has them, or REINDEX those that are there.");
    }
    session.update("SET LOCAL enable_seqscan = off", Params.none());
    List<String> slow = new ArrayList<>();
    if (readsAll(session.query("EXPLAIN " + PostgresSql.CLAIM, claim(), row -> row.getString(1)))) {
      slow.add("the claim");
    }
    for (Map.Entry<String, InstanceQuery> list : LISTS.entrySet()) {
      if (readsAll(SqlQueryStore.plan(session, list.getValue()))) {
        slow.add("the list of " + list.getKey());
      }
    }
    return slow.isEmpty()
        ? Check.ok("indexes", "Claim and lists are served by indexes.")
        : Check.fail(
            "indexes",
            "No index serves " + String.join(", ", slow) + ".",
            "Compare the indexes with those of 'millrace schema print'.");
  }

  private static boolean readsAll(List<String> plan) {
    return plan.stream().anyMatch(line -> ALL_READ.matcher(line).find());
  }

  private static Params claim() {
    return Params.of("executorGroup", "millrace")
        .ints("definitions", List.of(1), id -> id)
        .set("executorId", 0L)
        .set("limit", 10);
  }

  private static String setting(SqlSession session, String name) throws SQLException {
    return session
        .first(SETTING, Params.of("name", name), row -> row.getString("setting"))
        .orElseThrow();
  }

  private static boolean yes(SqlSession session, String sql) throws SQLException {
    return session.first(sql, Params.none(), row -> row.getBoolean(1)).orElseThrow();
  }
}
