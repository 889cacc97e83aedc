package io.millrace.verification.chaos.check;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A checker that loads a journal beside the engine's tables and runs all checks. */
public final class Checker {

  private static final int MAX_LISTED = 50;

  /**
   * The finding of a check.
   *
   * @param violations the first violations
   * @param number total number of violations
   */
  record Finding(Check check, List<String> violations, long number) {}

  private final Connection connection;

  private Checker(Connection connection) {
    this.connection = connection;
  }

  /** Checks a run and returns the report. */
  public static ChaosReport check(Connection connection, Path journal)
      throws SQLException, IOException {
    try (Reader reader = Files.newBufferedReader(journal)) {
      return check(connection, reader);
    }
  }

  static ChaosReport check(Connection connection, Reader journal) throws SQLException, IOException {
    JournalTables.load(connection, journal);
    Checker checker = new Checker(connection);
    List<Finding> findings = new ArrayList<>();
    for (Check check : Check.all()) {
      findings.add(checker.find(check));
    }
    return new ChaosReport(
        findings, checker.numbers(ReportQueries.COUNTS), checker.numbers(ReportQueries.TIMES));
  }

  private Finding find(Check check) throws SQLException {
    List<String> first = new ArrayList<>();
    long number = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(check.sql())) {
      while (rows.next()) {
        number++;
        if (first.size() < MAX_LISTED) {
          first.add(rows.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new SQLException(
          "The check '" + check.description() + "' is wrong: " + e.getMessage(), e);
    }
    return new Finding(check, List.copyOf(first), number);
  }

  private Map<String, String> numbers(String sql) throws SQLException {
    Map<String, String> numbers = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        numbers.put(rows.getString(1), rows.getString(2));
      }
    }
    return numbers;
  }
}
