package io.millrace.verification.sequence;

import org.junit.jupiter.api.Tag;

/** PostgreSQL has statements of its own; on it these days take more than a minute. */
@Tag("races")
class ResumedScheduleOnPostgresTest extends ResumedScheduleContract {

  ResumedScheduleOnPostgresTest() {
    super(EngineStoreKind.POSTGRES);
  }
}
