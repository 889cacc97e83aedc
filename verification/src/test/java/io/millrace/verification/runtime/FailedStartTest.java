package io.millrace.verification.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.lifecycle.EngineClock;
import io.millrace.store.StoreException;
import io.millrace.testing.MemoryStore;
import io.millrace.verification.support.FaultyStore;
import io.millrace.verification.support.FaultyStore.Fault;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An engine that cannot start leaves nothing behind that would keep the JVM alive. */
class FailedStartTest {

  @Test
  void noThreadIsLeftByAStartThatFailed() {
    FaultyStore store = new FaultyStore(new MemoryStore(EngineClock.system()));
    store.failNext("register", Fault.LOST_REQUEST);
    Set<Thread> before = threads();
    assertThatThrownBy(() ->
            Engine.builder()
                .store(store)
                .workflows(
                    WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build())
                .start())
        .isInstanceOf(StoreException.class);
    assertThat(threads()).isSubsetOf(before);
  }

  @Test
  void aPoolThatIsTooSmallIsNamedAsTheCause() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:small;DB_CLOSE_DELAY=-1");
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(250);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      assertThatThrownBy(() -> Engine.builder().dataSource(pool).start())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("Give the pool at least four connections");
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-"))
        .collect(Collectors.toSet());
  }
}
