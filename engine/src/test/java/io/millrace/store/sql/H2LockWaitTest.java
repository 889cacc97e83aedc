package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Patience;
import io.millrace.store.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how long a transaction on H2 waits for others. */
final class H2LockWaitTest {

  private static final Duration LIMIT = Duration.ofMillis(20);
  private static final int USUAL = 10_000;

  /** Longer than any test runs. */
  private static final int FOR_EVER = Integer.MAX_VALUE;

  private final JdbcConnectionPool pool =
      JdbcConnectionPool.create("jdbc:h2:mem:lock-wait", "sa", "");

  @BeforeEach
  void makeARow() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE one (id INT PRIMARY KEY)");
      statement.execute("INSERT INTO one VALUES (1)");
    }
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  private static Jdbc jdbc(DataSource dataSource) {
    return new Jdbc(dataSource, Dialects.named("h2"), null);
  }

  private static int lockWait(SqlSession sqlSession) throws SQLException {
    return sqlSession
        .first("SELECT LOCK_TIMEOUT() AS millis", Params.none(), row -> row.getInt("millis"))
        .orElseThrow();
  }

  private static void isLimitedInsideAndUsualAfterwards(DataSource dataSource) {
    Jdbc jdbc = jdbc(dataSource);
    jdbc.transaction(
        "limit",
        StatementTimeout.SHORT,
        sqlSession -> {
          sqlSession.limitLockWait(LIMIT);
          assertThat(lockWait(sqlSession)).isEqualTo(LIMIT.toMillis());
          return null;
        });
    assertThat(jdbc.<Integer>run("look", H2LockWaitTest::lockWait)).isEqualTo(USUAL);
  }

  @Test
  void isLimitedInItsTransactionAlone() {
    isLimitedInsideAndUsualAfterwards(pool);
  }

  @Test
  void isTheUsualAgainAfterAFailure() {
    Jdbc jdbc = jdbc(pool);
    assertThatThrownBy(() ->
            jdbc.transaction(
                "fail",
                StatementTimeout.SHORT,
                sqlSession -> {
                  sqlSession.limitLockWait(LIMIT);
                  return sqlSession.update("INSERT INTO one VALUES (1)", Params.none());
                }))
        .isInstanceOf(StoreException.class);
    assertThat(jdbc.<Integer>run("look", H2LockWaitTest::lockWait)).isEqualTo(USUAL);
  }

  /** The pool of an application may not show what it has put its connections around. */
  @Test
  void isLimitedWhereTheDriverIsOutOfReach() {
    isLimitedInsideAndUsualAfterwards(
        answering(
            DataSource.class,
            pool,
            "getConnection",
            connection -> answering(Connection.class, connection, "isWrapperFor", all -> false)));
  }

  /** Returns a proxy of {@code target} that changes the answers of one method. */
  private static <T> T answering(
      Class<T> type, Object target, String name, UnaryOperator<Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object result = method.invoke(target, arguments);
              return method.getName().equals(name) ? answer.apply(result) : result;
            }));
  }

  @Test
  void endsAWaitOfATransactionThatHasBegun() throws Exception {
    try (Connection holder = pool.getConnection();
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.execute("DELETE FROM one");
      CompletableFuture<Integer> waiting =
          CompletableFuture.supplyAsync(() ->
              jdbc(pool)
                  .transaction(
                      "wait",
                      StatementTimeout.SHORT,
                      sqlSession -> {
                        sqlSession.update("SET LOCK_TIMEOUT " + FOR_EVER, Params.none());
                        sqlSession.update("INSERT INTO one VALUES (2)", Params.none());
                        sqlSession.limitLockWait(LIMIT);
                        return sqlSession.update("DELETE FROM one WHERE id = 1", Params.none());
                      }));
      assertThat(waiting).failsWithin(Patience.LIMIT);
      holder.rollback();
    }
  }

  /** H2 plans all statements of all connections again when settings have changed. */
  @Test
  void hasH2PlanAgainOnceInAHundredTimes() throws SQLException {
    long before = settings();
    for (int i = 0; i < 3 * H2Dialect.LIMITS_PER_PLAN; i++) {
      isLimitedInsideAndUsualAfterwards(pool);
    }
    assertThat(settings() - before).isEqualTo(3);
  }

  private long settings() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      SessionLocal session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
      return session.getDatabase().getModificationMetaId();
    }
  }
}
