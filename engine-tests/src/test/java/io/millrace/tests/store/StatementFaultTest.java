package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.FaultyDataSource.Fault;
import io.millrace.fixtures.FaultyDataSource.Moment;
import io.millrace.fixtures.store.StoreKind;
import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of every operation of the store, failed at each of its statements and commits, before and
 * after, with the connection intact and broken. The result is the state before or the state after,
 * or that of a part that is committed first, and the usual repetition by the caller leads to the
 * same state as the operation without a fault. Two databases are tested at a time.
 */
@Timeout(1_200)
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
@Execution(ExecutionMode.CONCURRENT)
@Tag("races")
class StatementFaultTest {

  /** Number of conflicts in a row, more than any caller retries at once. */
  private static final int CONFLICTS = 6;

  private final FaultFixture scene;

  StatementFaultTest(FaultFixture scene) {
    this.scene = scene;
  }

  static Stream<FaultFixture> scenes() {
    return Stream.of(StoreKind.H2, StoreKind.POSTGRES)
        .flatMap(kind -> Stream.of(new FaultFixture(kind, true), new FaultFixture(kind, false)));
  }

  static Stream<FaultCase> cases() {
    return Stream.of(
            InstanceFaultCases.all(),
            AdministrationFaultCases.all(),
            ScheduleFaultCases.all(),
            OutboxFaultCases.all(),
            DataFaultCases.all(),
            ContinuousFaultCases.all())
        .flatMap(Function.identity());
  }

  @AfterParameterizedClassInvocation
  static void report(FaultFixture scene) {
    System.out.println("StatementFaultTest: " + scene.tried + " faults on " + scene);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @Execution(ExecutionMode.SAME_THREAD)
  void isAllOrNothingAndCanBeRepeated(FaultCase operation) throws Exception {
    Reference reference = reference(operation);
    for (int point = 0; point < reference.points; point++) {
      for (Moment moment : Moment.values()) {
        for (boolean breaks : List.of(false, true)) {
          fail(operation, reference, new Fault(point, moment, breaks));
          scene.tried++;
        }
      }
    }
  }

  /**
   * An operation that conflicts at each statement, even repeatedly, has the same effect as alone.
   * Its caller does not notice, unless the transaction is the caller's.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @Execution(ExecutionMode.SAME_THREAD)
  void isRepeatedWhenItWasUndoneForOthers(FaultCase operation) throws Exception {
    Reference reference = reference(operation);
    for (int point = 0; point < reference.points; point++) {
      scene.begin();
      FaultCase.Operation attempt = operation.setUp().apply(scene);
      scene.faults.armConflicts(point, point == reference.points - 1 ? CONFLICTS : 1);
      if (operation.name().contains("caller's transaction")) {
        assertFails(attempt.call(), null);
        continue;
      }
      attempt.call().run();
      Set<String> different = operation.different();
      assertThat(scene.dump().without(different))
          .as("after conflicts at point %s", point)
          .isEqualTo(reference.after.without(different));
    }
  }

  /** The effect of the operation without a fault. */
  private record Reference(TableDump before, TableDump between, TableDump after, int points) {}

  private Reference reference(FaultCase operation) throws Exception {
    scene.begin();
    assertThat(operation.setUp().apply(scene)).isNotNull();
    operation.firstPart().accept(scene);
    TableDump between = scene.dump();
    scene.begin();
    FaultCase.Operation attempt = operation.setUp().apply(scene);
    TableDump before = scene.dump();
    scene.faults.arm(null);
    attempt.call().run();
    Reference reference = new Reference(before, between, scene.dump(), scene.faults.points());
    assertThat(reference.points).as("statements of '%s'", operation).isPositive();
    return reference;
  }

  private void fail(FaultCase operation, Reference reference, Fault fault) throws Exception {
    scene.begin();
    FaultCase.Operation attempt = operation.setUp().apply(scene);
    assertThat(scene.dump()).as("the same beginning").isEqualTo(reference.before);
    scene.faults.arm(fault);
    assertFails(attempt.call(), fault);
    assertThat(scene.faults.hasFailed()).as("%s has happened", fault).isTrue();
    assertThat(scene.dump())
        .as("after %s", fault)
        .isIn(reference.before, reference.between, reference.after);
    scene.faults.arm(null);
    attempt.repeat().run();
    Set<String> different = operation.different();
    assertThat(scene.dump().without(different))
        .as("after %s and repeated", fault)
        .isEqualTo(reference.after.without(different));
    assertThat(scene.faults.open()).as("connections not returned after %s", fault).isZero();
    assertThat(scene.faults.unclean()).as("connections returned after %s", fault).isEmpty();
  }

  /** Asserts that the call fails, and that its outcome is reported as unknown. */
  private static void assertFails(FaultCase.Call call, Fault fault) {
    try {
      call.run();
    } catch (StoreException e) {
      assertThat(e.rejected()).as("%s counts as refused: %s", fault, e.getMessage()).isFalse();
      return;
    } catch (SQLException e) {
      // The caller's own transaction: the driver reports the failure.
      return;
    } catch (Exception e) {
      throw new AssertionError(fault + " came as " + e, e);
    }
    throw new AssertionError("No exception reported " + fault);
  }
}
