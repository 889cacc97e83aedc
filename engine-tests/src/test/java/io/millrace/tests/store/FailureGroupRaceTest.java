package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.FailureGroup;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests of groups of failures that are read while their instances are retried. */
class FailureGroupRaceTest extends StoreContract {

  private final AtomicBoolean watching = new AtomicBoolean();

  FailureGroupRaceTest(StoreFixture subject) {
    super(subject);
  }

  /**
   * Returns a data source that runs an action after the first statement that reads groups of
   * failures.
   */
  private DataSource afterGroups(DataSource pool, Runnable then) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          Object answer = Proxies.invoke(pool, method, args);
          return answer instanceof Connection connection ? watched(connection, then) : answer;
        });
  }

  private Connection watched(Connection connection, Runnable then) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          Object answer = Proxies.invoke(connection, method, args);
          boolean groups =
              answer instanceof PreparedStatement
                  && args != null
                  && String.valueOf(args[0]).contains("GROUP BY failure");
          return groups ? watched((PreparedStatement) answer, then) : answer;
        });
  }

  private PreparedStatement watched(PreparedStatement statement, Runnable then) {
    return Proxies.proxy(
        PreparedStatement.class,
        (method, args) -> {
          Object answer = Proxies.invoke(statement, method, args);
          if (method.getName().startsWith("execute") && watching.compareAndSet(true, false)) {
            then.run();
          }
          return answer;
        });
  }

  private List<FailureGroup> readWhile(Runnable retries) {
    if (subject.dataSource() == null) {
      List<FailureGroup> groups = store.statistics().failures(type, 10);
      retries.run();
      return groups;
    }
    DataSource watched = afterGroups(subject.dataSource(), retries);
    try (Store other =
        SqlStore.open(watched, new SqlStore.Options(SchemaMode.CREATE, clock, false))) {
      watching.set(true);
      return other.statistics().failures(type, 10);
    }
  }

  @Test
  void theReasonOfAGroupIsThatOfTheFailureAlsoWhileItIsRetried() {
    WorkflowInstance failed =
        saveAccepted(
            transitionOf(startAndClaim())
                .to("pay")
                .reason("no such account")
                .end(InstanceStatus.FAILED)
                .failure("a" + type));

    List<FailureGroup> groups = readWhile(() -> applyAccepted(failed, new OperatorCommand.Retry()));

    assertThat(read(failed).status())
        .as("it was retried meanwhile")
        .isEqualTo(InstanceStatus.IN_PROGRESS);
    assertThat(groups)
        .extracting(FailureGroup::newest)
        .containsExactly(new FailureGroup.Newest(failed.id(), "no such account"));
    assertThat(store.statistics().failures(type, 10)).isEmpty();
  }
}
