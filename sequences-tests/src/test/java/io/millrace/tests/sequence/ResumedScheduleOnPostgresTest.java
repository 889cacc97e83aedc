package io.millrace.tests.sequence;

import org.junit.jupiter.api.Tag;

/** The tests on PostgreSQL, which has its own statements; they take more than a minute. */
@Tag("races")
class ResumedScheduleOnPostgresTest extends ResumedScheduleContract {

  ResumedScheduleOnPostgresTest() {
    super(EngineStoreKind.POSTGRES);
  }
}
