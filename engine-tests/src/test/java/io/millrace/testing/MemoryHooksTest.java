package io.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ExecutorInfo;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of hooks in the store in memory that no feature needs while its transactions are one. */
public class MemoryHooksTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long FORGOTTEN = 999;

  private final SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T00:00:00Z"));

  /** A feature whose rows belong to some executors for good. */
  private static final class OwnedRows extends MemoryPart {
    private final List<Long> owners = new ArrayList<>(List.of(FORGOTTEN));

    @Override
    void install(MemoryTables tables, MemoryAuditStore audit, MemoryOperatorStore operators) {
      tables.hooks.owns(group -> owners.stream(), owners::contains);
    }
  }

  @Test
  public void rowsOfAFeatureKeepTheirExecutor() {
    OwnedRows rows = new OwnedRows();
    Store store = MemoryStore.with(clock, rows);
    long owner = register(store);
    long other = register(store);
    rows.owners.add(owner);
    store.executors().markStopped(owner);
    store.executors().markStopped(other);
    clock.advance(HOUR);

    assertThat(store.executors().expired("group")).containsExactly(owner);
    assertThat(store.retention().deleteExecutors(MINUTE, 10)).isEqualTo(1);
    assertThat(store.executors().recoveredOwners("group")).containsExactly(FORGOTTEN);
  }

  private static long register(Store store) {
    return store
        .executors()
        .register(new ExecutorInfo.Identity("host", 1, "group", List.of(1), "1.0"), HOUR);
  }
}
