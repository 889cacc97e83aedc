package io.millrace.tests.sequence;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The tests on the stores inside the JVM, where days with many statements pass quickly. */
@ParameterizedClass(name = "{0}")
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRES")
class ResumedScheduleTest extends ResumedScheduleContract {

  ResumedScheduleTest(EngineStoreKind kind) {
    super(kind);
  }
}
