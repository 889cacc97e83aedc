package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.FaultyDataSource.Fault;
import io.millrace.fixtures.FaultyDataSource.Moment;
import io.millrace.fixtures.store.StoreKind;
import io.millrace.store.AuditStore;
import io.millrace.store.ChangeStore;
import io.millrace.store.ContinuousStore;
import io.millrace.store.DefinitionStore;
import io.millrace.store.ExecutorStore;
import io.millrace.store.InstanceStore;
import io.millrace.store.KeyValueStore;
import io.millrace.store.LogStore;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore;
import io.millrace.store.OutboxStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.QueryStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.StatisticsStore;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of every operation of the store, failed at each of its statements and commits, before and
 * after, with the connection intact and broken. The result is the state before or the state after,
 * or that of a part that is committed first, and the usual repetition by the caller leads to the
 * same state as the operation without a fault.
 */
@Timeout(1_200)
@Execution(ExecutionMode.CONCURRENT)
@Tag("races")
class StatementFaultTest {

  /** A database, and whether its connections use automatic commit, as those of most pools do. */
  record Mode(StoreKind kind, boolean automatic) {
    static Stream<Mode> all() {
      return Stream.of(StoreKind.H2, StoreKind.POSTGRES)
          .flatMap(kind -> Stream.of(new Mode(kind, true), new Mode(kind, false)));
    }

    @Override
    public String toString() {
      return kind + (automatic ? "" : " without automatic commit");
    }
  }

  /** Number of conflicts in a row, more than any caller retries at once. */
  private static final int CONFLICTS = 6;

  /** Fixtures by mode; each serves one case at a time. */
  private static final Map<Mode, FaultFixture> SCENES = new ConcurrentHashMap<>();

  private static final Map<Mode, Integer> TRIED = new ConcurrentHashMap<>();

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

  static Stream<Arguments> all() {
    return cases().flatMap(operation -> Mode.all().map(mode -> Arguments.of(mode, operation)));
  }

  @AfterAll
  static void report() {
    TRIED.forEach((mode, faults) ->
        System.out.println("StatementFaultTest: " + faults + " faults on " + mode));
    SCENES.values().forEach(FaultFixture::close);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("all")
  void isAllOrNothingAndCanBeRepeated(Mode mode, FaultCase operation) throws Exception {
    FaultFixture scene = SCENES.computeIfAbsent(mode, m -> new FaultFixture(m.kind, m.automatic));
    synchronized (scene) {
      TRIED.merge(mode, failEverywhere(scene, operation), Integer::sum);
    }
  }

  /** Fails the operation in all ways and returns their number. */
  private static int failEverywhere(FaultFixture scene, FaultCase operation) throws Exception {
    int tried = 0;
    Reference reference = reference(scene, operation);
    for (int point = 0; point < reference.points; point++) {
      for (Moment moment : Moment.values()) {
        for (boolean breaks : List.of(false, true)) {
          fail(scene, operation, reference, new Fault(point, moment, breaks));
          tried++;
        }
      }
    }
    return tried;
  }

  /**
   * An operation that conflicts at each statement, even repeatedly, has the same effect as alone.
   * Its caller does not notice, unless the transaction is the caller's.
   */
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("all")
  void isRepeatedWhenItWasUndoneForOthers(Mode mode, FaultCase operation) throws Exception {
    FaultFixture scene = SCENES.computeIfAbsent(mode, m -> new FaultFixture(m.kind, m.automatic));
    synchronized (scene) {
      Reference reference = reference(scene, operation);
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
  }

  /** The effect of the operation without a fault. */
  private record Reference(TableDump before, TableDump between, TableDump after, int points) {}

  private static Reference reference(FaultFixture scene, FaultCase operation) throws Exception {
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

  private static void fail(
      FaultFixture scene, FaultCase operation, Reference reference, Fault fault) throws Exception {
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

  @Test
  void everyMethodOfTheStoreHasItsCase() throws Exception {
    try (FaultFixture scene = new FaultFixture(StoreKind.H2, true)) {
      for (FaultCase operation : cases().toList()) {
        reference(scene, operation);
      }
      assertThat(scene.called()).isEqualTo(methods());
      assertThat(scene.actions())
          .containsExactlyInAnyOrder(OperatorCommand.class.getPermittedSubclasses());
    }
  }

  private static Set<String> methods() {
    return Stream.of(
            ContinuousStore.class,
            AuditStore.class,
            ChangeStore.class,
            DefinitionStore.class,
            ExecutorStore.class,
            InstanceStore.class,
            OutboxStore.class,
            OperatorStore.class,
            QueryStore.class,
            RetentionStore.class,
            LogStore.class,
            StatisticsStore.class,
            TaskStore.class,
            SequenceStore.class,
            KeyValueStore.class,
            PeriodLedgerStore.class,
            ReduceStore.class)
        .flatMap(role -> Arrays.stream(role.getDeclaredMethods()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(FaultFixture::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
