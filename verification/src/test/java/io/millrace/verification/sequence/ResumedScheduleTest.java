package io.millrace.verification.sequence;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** On the stores inside the JVM, where days of many statements each pass quickly. */
@ParameterizedClass(name = "{0}")
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRES")
class ResumedScheduleTest extends ResumedScheduleContract {

  ResumedScheduleTest(EngineStoreKind kind) {
    super(kind);
  }
}
