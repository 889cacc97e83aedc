package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.store.CallerTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that calls of the client take part in the transactions that a framework names. */
class CallerTransactionsTest {

  enum Kind {
    POSTGRES,
    H2
  }

  private static final OperatorAction BOB = OperatorAction.by("bob", "not wanted");

  /** Transactions that the test begins and ends; an engine that is never woken polls hourly. */
  private static final class Transactions implements CallerTransactions {
    private @Nullable Connection current;
    private final List<Runnable> actions = new ArrayList<>();

    private void begin(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      current = connection;
    }

    private void commit() throws SQLException {
      current.commit();
      current = null;
      actions.forEach(Runnable::run);
      actions.clear();
    }

    private void rollback() throws SQLException {
      current.rollback();
      current = null;
      actions.clear();
    }

    @Override
    public boolean isActive() {
      return current != null;
    }

    @Override
    public @Nullable Connection connection() {
      Connection shared = current;
      return shared == null
          ? null
          : Proxies.proxy(
              Connection.class,
              (method, args) ->
                  method.getName().equals("close") ? null : Proxies.invoke(shared, method, args));
    }

    @Override
    public void afterCommit(Runnable action) {
      if (isActive()) {
        actions.add(action);
      } else {
        action.run();
      }
    }
  }

  private final Transactions transactions = new Transactions();

  private final WorkflowDefinition order =
      WorkflowDefinition.of("order")
          .start("accept", ctx -> Next.moveTo("ship", "accepted"))
          .await("ship", "paid", (ctx, paid) -> Next.done("shipped"))
          .build();

  private Engine engine(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .transactions(transactions)
        .workflows(order)
        .settings(settings -> settings.maxSleep(Duration.ofHours(1)))
        .start();
  }

  private static TestDatabase open(Kind kind) {
    return kind == Kind.POSTGRES ? TestDatabase.postgres() : TestDatabase.h2();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsCommittedRunsAtOnce(Kind kind) throws SQLException {
    try (TestDatabase database = open(kind);
        Engine engine = engine(database);
        Connection user = database.pool().getConnection()) {
      WorkflowClient client = engine.client();
      transactions.begin(user);
      List<Long> ids =
          client
              .startAll(
                  List.of(
                      StartRequest.of("order").externalId("a"),
                      StartRequest.of("order").externalId("b")))
              .stream()
              .map(started -> started.id())
              .toList();
      client.signal(ids.getFirst(), "paid");
      client.cancel(ids.getLast(), BOB);
      assertThat(client.get(ids.getLast()).status()).isEqualTo(InstanceStatus.CANCELLED);
      assertThat(client.search(InstanceQuery.all()).items()).isEmpty();
      transactions.commit();

      assertThat(client.await(ids.getFirst(), Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(client.get(ids.getLast()).status()).isEqualTo(InstanceStatus.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsRolledBackNeverHappened(Kind kind) throws SQLException {
    try (TestDatabase database = open(kind);
        Engine engine = engine(database);
        Connection user = database.pool().getConnection()) {
      WorkflowClient client = engine.client();
      long kept = client.start(StartRequest.of("order").after(Duration.ofDays(1))).id();
      transactions.begin(user);
      client.start(StartRequest.of("order").externalId("a"));
      client.signal(kept, "paid");
      client.move(kept, "ship", BOB);
      assertThat(client.get(kept).state()).isEqualTo("ship");
      transactions.rollback();

      assertThat(client.search(InstanceQuery.all()).items())
          .extracting(one -> one.id(), one -> one.state())
          .containsExactly(tuple(kept, "accept"));
      assertThat(client.inboxMessages(kept, 1)).isEmpty();
    }
  }

  /** The engine's own limits must not outlast its calls in a transaction of the application. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void theSettingsOfTheTransactionStay(Kind kind) throws SQLException {
    String setting =
        kind == Kind.POSTGRES
            ? "SELECT current_setting('lock_timeout') || current_setting('statement_timeout')"
            : "CALL LOCK_TIMEOUT()";
    try (TestDatabase database = open(kind);
        Engine engine = engine(database);
        Connection user = database.pool().getConnection()) {
      transactions.begin(user);
      String before = text(user, setting);
      engine.client().start(StartRequest.of("order").externalId("a"));
      assertThat(text(user, setting)).isEqualTo(before);
      transactions.rollback();
    }
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
