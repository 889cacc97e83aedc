package io.millrace.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.WorkflowClient;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.Patience;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests that calls of the client take part in the transactions of an application. */
class SpringTransactionsTest {

  /** Managers of transactions. */
  enum Manager {
    JDBC,
    /** The pool hands out connections in transactions, which nothing commits by itself. */
    JDBC_WITHOUT_AUTO_COMMIT,
    JPA;

    /** Returns a context in which nothing is claimed unless something wakes the engine. */
    private ApplicationContextRunner context() {
      ApplicationContextRunner runner =
          this == JPA
              ? Contexts.jpa(GreeterApplication.class)
              : Contexts.jdbc(GreeterApplication.class);
      return runner.withPropertyValues(
          "millrace.max-sleep=1h",
          "spring.datasource.hikari.auto-commit=" + (this != JDBC_WITHOUT_AUTO_COMMIT));
    }
  }

  private static TransactionTemplate transaction(ApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  private static int orders(ApplicationContext context) {
    return context.getBean(JdbcTemplate.class).queryForList("SELECT * FROM customer_order").size();
  }

  private static void await(WorkflowClient client, long id, String state) throws Exception {
    ConditionPoller.await(
        "instance " + id + " is in " + state, () -> client.get(id).state().equals(state));
  }

  @ParameterizedTest
  @EnumSource
  void aStartIsCommittedWithTheBusinessRowAndRunsAtOnce(Manager manager) {
    manager
        .context()
        .run(context -> {
          WorkflowClient client = context.getBean(WorkflowClient.class);
          long id = context.getBean(GreeterApplication.Orders.class).place("A-17");
          await(client, id, "charge");
          client.signal(id, "paid");
          assertThat(client.await(id, Patience.LIMIT).position().reason())
              .isEqualTo("A-17 is charged");
          assertThat(orders(context)).isOne();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aRollbackTakesTheStartWithIt(Manager manager) {
    manager
        .context()
        .run(context -> {
          GreeterApplication.Orders orders = context.getBean(GreeterApplication.Orders.class);
          assertThatThrownBy(() -> orders.placeInVain("A-18"))
              .isInstanceOf(IllegalArgumentException.class);
          assertThat(orders(context)).isZero();
          assertThat(context.getBean(WorkflowClient.class).search(InstanceQuery.all()).items())
              .isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionReadsAndSignalsWhatItHasStarted(Manager manager) {
    manager
        .context()
        .run(context -> {
          WorkflowClient client = context.getBean(WorkflowClient.class);
          long id =
              transaction(context)
                  .execute(status -> {
                    long started = client.start(StartRequest.of("order", "A-19")).id();
                    assertThat(client.find(started)).isPresent();
                    assertThat(client.search(InstanceQuery.all()).items()).isEmpty();
                    client.signal(started, "paid");
                    return started;
                  });
          assertThat(client.await(id, Patience.LIMIT).status()).isEqualTo(InstanceStatus.FINISHED);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aRollbackTakesSignalsAndOperatorActionsWithIt(Manager manager) {
    manager
        .context()
        .run(context -> {
          WorkflowClient client = context.getBean(WorkflowClient.class);
          GreeterApplication.Orders orders = context.getBean(GreeterApplication.Orders.class);
          long id = orders.place("A-20");
          await(client, id, "charge");
          assertThatThrownBy(() -> orders.cancelInVain(id))
              .isInstanceOf(IllegalArgumentException.class);
          transaction(context)
              .executeWithoutResult(status -> {
                client.signal(id, "paid");
                status.setRollbackOnly();
              });
          WorkflowInstance left = client.get(id);
          assertThat(left.status().isTerminal()).isFalse();
          assertThat(client.inboxMessages(id, 10)).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionOfItsOwnWithinAnotherIsCommittedAlone(Manager manager) {
    manager
        .context()
        .run(context -> {
          WorkflowClient client = context.getBean(WorkflowClient.class);
          TransactionTemplate inner = transaction(context);
          inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
          transaction(context)
              .executeWithoutResult(status -> {
                client.start(StartRequest.of("greeting", "outer").externalId("outer"));
                inner.executeWithoutResult(
                    own -> client.start(StartRequest.of("greeting", "inner").externalId("inner")));
                status.setRollbackOnly();
              });
          assertThat(client.search(InstanceQuery.all()).items())
              .extracting(one -> one.origin().externalId())
              .containsExactly("inner");
        });
  }

  @ParameterizedTest
  @EnumSource
  void aStartAfterTheCommitIsCommittedToo(Manager manager) {
    manager
        .context()
        .run(context -> {
          WorkflowClient client = context.getBean(WorkflowClient.class);
          long[] id = new long[1];
          transaction(context)
              .executeWithoutResult(status ->
                  TransactionSynchronizationManager.registerSynchronization(
                      new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                          id[0] = client.start(StartRequest.of("greeting", "late")).id();
                        }
                      }));
          assertThat(client.await(id[0], Patience.LIMIT).status())
              .isEqualTo(InstanceStatus.FINISHED);
        });
  }
}
