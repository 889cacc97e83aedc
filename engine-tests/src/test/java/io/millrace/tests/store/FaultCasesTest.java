package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.millrace.store.TaskStore;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that {@link StatementFaultTest} leaves out no operation of the store. */
@Tag("races")
class FaultCasesTest {

  @Test
  void everyMethodOfTheStoreHasItsCase() throws Exception {
    try (FaultFixture scene = new FaultFixture(StoreKind.H2, true)) {
      for (FaultCase operation : StatementFaultTest.cases().toList()) {
        scene.begin();
        operation.setUp().apply(scene).call().run();
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
