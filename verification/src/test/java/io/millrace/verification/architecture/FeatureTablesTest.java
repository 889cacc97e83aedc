package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that the core's statements name no table of a feature. A store without the feature's tables
 * would fail, and a change of the feature would reach into the core.
 */
class FeatureTablesTest {

  private static final Pattern TABLE =
      Pattern.compile(
          "millrace_(key_value|period|reduce|sequence|slot|task|compiled|outbox|continuous|offered|trigger)");

  /** Files of features beside those of the core. */
  private static final Set<String> OF_FEATURES =
      Set.of(
          "CompiledSequenceTable.java",
          "ContinuousLogWriter.java",
          "ContinuousRemover.java",
          "ContinuousRequests.java",
          "ContinuousRowReader.java",
          "ContinuousTables.java",
          "ExecutionEndWriter.java",
          "FireWriter.java",
          "OutboxWriter.java",
          "PeriodLedgerSql.java",
          "ReduceSql.java",
          "ScheduleDoctor.java",
          "SequenceRows.java",
          "SlotRecordRemover.java",
          "SqlContinuousStore.java",
          "SqlKeyValueStore.java",
          "SqlOutboxStore.java",
          "SqlPeriodLedgerStore.java",
          "SqlSequenceStore.java",
          "SqlTaskStore.java",
          "TaskVisitReader.java",
          "TriggerMemory.java",
          "TriggerRunWriter.java",
          "TriggerWriter.java",
          "V1__continuous.sql",
          "V1__data.sql",
          "V1__sequences.sql");

  @Test
  void theCoreNamesNoTableOfAFeature() throws IOException {
    Set<String> naming = new TreeSet<>();
    for (Path file : files()) {
      if (TABLE.matcher(Files.readString(file)).find()) {
        naming.add(file.getFileName().toString());
      }
    }

    assertThat(OF_FEATURES).as("files that name a table of a feature").containsAll(naming);
    assertThat(naming).as("files whose exception is still needed").containsAll(OF_FEATURES);
  }

  private static List<Path> files() throws IOException {
    try (var all = Files.walk(JavaSources.top().resolve("engine/src/main"))) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
