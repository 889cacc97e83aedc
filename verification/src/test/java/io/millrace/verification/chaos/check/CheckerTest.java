package io.millrace.verification.chaos.check;

import static io.millrace.verification.chaos.check.InjectedViolation.action;
import static io.millrace.verification.chaos.check.InjectedViolation.call;
import static io.millrace.verification.chaos.check.InjectedViolation.drain;
import static io.millrace.verification.chaos.check.InjectedViolation.fault;
import static io.millrace.verification.chaos.check.InjectedViolation.instance;
import static io.millrace.verification.chaos.check.InjectedViolation.line;
import static io.millrace.verification.chaos.check.InjectedViolation.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every check finds its planted violation, and that no check finds anything in a clean
 * run.
 */
class CheckerTest {

  private static final String EMPTY =
      """
      TRUNCATE millrace_instance, millrace_history, millrace_variable,
        millrace_message
      """;

  private static final String UNIQUE =
      """
      CREATE UNIQUE INDEX IF NOT EXISTS millrace_instance_external_id
        ON millrace_instance (type, executor_group, external_id) WHERE external_id IS NOT NULL
      """;

  private static final List<String> CLEAN =
      List.of(
          call("INVOKE", "start", "k1", 0, ""),
          call("OK", "start", "k1", 1, ""),
          step("START", 0.5, 1, 0, 1),
          step("END", 0.9, 1, 0, 1),
          line(
              "SAVED",
              1,
              "\"id\":1,\"seq\":1,\"lv\":1,\"executor\":7,\"from\":\"one\",\"to\":\"two\""),
          step("START", 1.5, 1, 1, 1),
          step("END", 1.9, 1, 1, 1),
          line("PHASE", 100, "\"phase\":\"QUIET_ENDED\""));

  private static final String QUIET = line("PHASE", 90, "\"phase\":\"QUIET\"");
  private static final String ENDS = "what was started under faults ends in the quiet";

  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.postgres(2);
    SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false)).close();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void makeCleanRun() {
    database.execute(EMPTY);
    database.execute(UNIQUE);
    database.execute(
        instance(1, "slow", "k1", "finished", "")
            + "UPDATE millrace_instance SET state = 'end', seq = 2, lease_version = 1, ended_at = now();"
            + action(1, 1, "stateExecution", "one", "two", 1)
            + action(1, 2, "stateExecution", "two", "end", 1));
  }

  @Test
  void nothingIsFoundInACleanRun() throws Exception {
    ChaosReport chaosReport = check(List.of(drain(143, 0)));
    assertThat(chaosReport.violated()).isEmpty();
    assertThat(chaosReport.violations()).isZero();
    assertThat(chaosReport.count("instances")).isEqualTo(1);
    assertThat(chaosReport.text(List.of("seed 1"))).contains("- seed 1\n- violations: 0\n");
  }

  @ParameterizedTest
  @MethodSource("plants")
  void aPlantedViolationIsFound(InjectedViolation injectedViolation) throws Exception {
    database.execute(injectedViolation.sql());
    ChaosReport chaosReport = check(injectedViolation.lines());
    assertThat(chaosReport.violated())
        .extracting(Check::description)
        .contains(injectedViolation.description());
    assertThat(chaosReport.violations()).isPositive();
    assertThat(chaosReport.text(List.of()))
        .contains("## Violated: " + injectedViolation.description());
  }

  static Stream<InjectedViolation> plants() {
    return InjectedViolations.all();
  }

  @Test
  void everyCheckHasItsPlant() {
    assertThat(InjectedViolations.all().map(InjectedViolation::description))
        .containsExactlyInAnyOrderElementsOf(Check.all().stream().map(Check::description).toList());
  }

  @Test
  void anOverlapWithAFrozenProcessIsAllowed() throws Exception {
    ChaosReport chaosReport =
        check(
            List.of(
                step("START", 4, 1, 2, 1),
                fault("FREEZE_LONG", 5, 19),
                step("START", 17, 1, 2, 2),
                step("END", 20, 1, 2, 1)));
    assertThat(chaosReport.violated()).isEmpty();
  }

  @Test
  void aDrainWithoutDatabaseIsNotJudged() throws Exception {
    ChaosReport chaosReport = check(List.of(drain(143, 3), fault("DATABASE_KILL", 19, 25)));
    assertThat(chaosReport.violated()).isEmpty();
  }

  @Test
  void aParentMayWaitForAParkedChild() throws Exception {
    plantFamily();
    database.execute("UPDATE millrace_instance SET waiting_for = 'children' WHERE id = 2");
    assertThat(check(List.of(QUIET)).violated())
        .extracting(Check::description)
        .doesNotContain(ENDS);
  }

  @Test
  void aParkedChildExcusesNoParentThatDoesNotWaitForIt() throws Exception {
    plantFamily();
    assertThat(check(List.of(QUIET)).violated()).extracting(Check::description).contains(ENDS);
  }

  /** Plants a parent that has not ended, and its child that waits for an operator. */
  private static void plantFamily() {
    database.execute(
        instance(2, "family", "k2", "inProgress", "")
            + instance(3, "child", "k3", "manual", "")
            + "UPDATE millrace_instance SET parent_id = 2 WHERE id = 3");
  }

  /** Returns the journal of a handler that is told at second 5 to stop, and ends at second 8. */
  private static List<String> threeSecondsLate() {
    return List.of(
        step("START", 4, 1, 2, 1),
        line("FENCED", 5, "\"node\":\"node1\",\"pid\":100,\"id\":1,\"lv\":1"),
        step("END", 8, 1, 2, 1));
  }

  @Test
  void aHandlerIsJudgedByWhatItsProcessCouldDo() throws Exception {
    List<String> idle = new ArrayList<>(threeSecondsLate());
    idle.addAll(InjectedViolation.beats(0, 5.3));
    idle.addAll(InjectedViolation.beats(7.5, 60));
    assertThat(check(CLEAN, idle).violated()).isEmpty();
    List<String> running = new ArrayList<>(threeSecondsLate());
    running.addAll(InjectedViolation.beats(0, 60));
    assertThat(check(CLEAN, running).violated())
        .extracting(Check::description)
        .containsExactly("a handler that heeds its interrupt is gone within a second");
  }

  private static ChaosReport check(List<String> more) throws SQLException, IOException {
    List<String> all = new ArrayList<>(more);
    all.addAll(InjectedViolation.beats(0, 60));
    return check(CLEAN, all);
  }

  private static ChaosReport check(List<String> some, List<String> more)
      throws SQLException, IOException {
    List<String> journal = new ArrayList<>(some);
    journal.addAll(more);
    try (Connection connection = database.pool().getConnection()) {
      return Checker.check(connection, new StringReader(String.join("\n", journal) + "\n"));
    }
  }
}
