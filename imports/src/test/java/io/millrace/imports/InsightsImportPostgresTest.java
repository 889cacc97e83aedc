package io.millrace.imports;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class InsightsImportPostgresTest extends InsightsImportContract {
  InsightsImportPostgresTest() {
    super(true);
  }

  @Test
  void theSourceCannotBeWrittenToNotEvenByItsOwnViews() throws SQLException {
    try (SourceFixture source = SourceFixture.create(true)) {
      source.execute(
          """
          CREATE SEQUENCE reads;
          ALTER TABLE "INSIGHTS_WORKFLOW_TYPE" RENAME TO types;
          CREATE VIEW "INSIGHTS_WORKFLOW_TYPE" AS SELECT 'T' || nextval('reads') AS workflowtype
          """);
      try (InsightsSource opened = source.open()) {
        assertThatThrownBy(opened::types)
            .hasMessageContaining("cannot execute nextval() in a read-only transaction");
      }
    }
  }
}
