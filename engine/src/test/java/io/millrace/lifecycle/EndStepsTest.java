package io.millrace.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndStepsTest {

  private final List<String> done = new ArrayList<>();

  private Runnable step(String name) {
    return () -> done.add(name);
  }

  private Runnable failing(String name, Throwable fault) {
    return () -> {
      done.add(name);
      EndStepsTest.<RuntimeException>rethrow(fault);
    };
  }

  /** Throws a checked exception undeclared, as code in Kotlin does. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void rethrow(Throwable fault) throws T {
    throw (T) fault;
  }

  @Test
  void allStepsAreDoneAlthoughSomeFail() {
    Error first = new AssertionError("first");
    Error second = new AssertionError("second");

    assertThatThrownBy(
            () -> EndSteps.run(step("a"), failing("b", first), failing("c", second), step("d")))
        .isSameAs(first)
        .hasSuppressedException(second);
    assertThat(done).containsExactly("a", "b", "c", "d");
  }

  @Test
  void noStepIsSkippedAfterACheckedExceptionThatIsNotDeclared() {
    IOException fault = new IOException("undeclared");
    Error before = new AssertionError("before");

    assertThatThrownBy(() -> EndSteps.run(failing("a", fault), step("b"))).isSameAs(fault);
    EndSteps.runAfter(before, failing("c", fault), step("d"));

    assertThat(done).containsExactly("a", "b", "c", "d");
    assertThat(before).hasSuppressedException(fault);
  }

  @Test
  void aFaultThatTwoStepsThrowIsNotSuppressedInItself() {
    Error fault = new AssertionError("same");

    assertThatThrownBy(() -> EndSteps.run(failing("a", fault), failing("b", fault)))
        .isSameAs(fault)
        .hasNoSuppressedExceptions();
  }

  @Test
  void theFaultBeforeTheStepsStaysTheCauseAlthoughAStepThrowsIt() {
    Error fault = new AssertionError("before");
    Error later = new AssertionError("later");

    EndSteps.runAfter(fault, failing("a", fault), step("b"));
    EndSteps.runAfter(fault, failing("c", later));

    assertThat(fault).hasSuppressedException(later);
    assertThat(fault.getSuppressed()).hasSize(1);
    assertThat(done).containsExactly("a", "b", "c");
  }

  @Test
  void nothingIsThrownIfNoStepFails() {
    EndSteps.run(step("a"), step("b"));
    assertThat(done).containsExactly("a", "b");
  }
}
