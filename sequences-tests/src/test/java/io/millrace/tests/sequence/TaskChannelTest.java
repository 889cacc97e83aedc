package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StatusReason;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskHandler;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class TaskChannelTest extends SequenceFixture {

  enum Kind {
    MEMORY,
    H2,
    POSTGRES
  }

  private static final String KPI = "WORKFLOW.TASK.KPI.EXCECUTION";
  private static final String PDF = "WORKFLOW.TASK.PDF.EXCECUTION";
  private static final DeliveryOutcome DONE = new DeliveryOutcome.Acknowledge();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestTransport broker = new TestTransport();
  private final TestDatabase database;
  private int failures;

  TaskChannelTest(Kind kind) {
    this.database =
        switch (kind) {
          case MEMORY -> null;
          case H2 -> TestDatabase.h2();
          case POSTGRES -> TestDatabase.postgres();
        };
  }

  private Store store(SettableClock clock) {
    return database == null
        ? new MemoryStore(clock)
        : SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, clock, false));
  }

  @AfterEach
  void drop() {
    if (database != null) {
      engine.close();
      database.close();
    }
  }

  @BeforeEach
  void begin() {
    run(
        ManualEngine.defaultSettings(),
        this::store,
        builder ->
            builder
                .channels(broker)
                .sequences(SequenceSettings.defaults().maxTaskRetries(1))
                .task(Task.of("KPI", TYPE).channel(KPI), sometimes("KPI"))
                .task(Task.of("PDF", TYPE).channel(PDF), sometimes("PDF"))
                .task(Task.of("EMAIL", TYPE), sometimes("EMAIL")));
    sequences().add(sequence(DAILY, "KPI", "PDF", "EMAIL"));
    engine.advance(Duration.ofMinutes(1));
  }

  private TaskHandler sometimes(String name) {
    return task -> {
      log.add(name);
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("planned");
      }
    };
  }

  private long begun() {
    long id = sequences().run(ID, Map.of(), BY_ANN);
    engine.advance(Duration.ofSeconds(2));
    return id;
  }

  private void rest() {
    engine.advance(Duration.ofSeconds(2));
  }

  @Test
  void everyTaskWithAChannelWaitsForItsMessage() {
    long id = begun();
    assertThat(log).isEmpty();
    assertThat(broker.sent)
        .singleElement()
        .satisfies(message -> {
          assertThat(message.channel()).isEqualTo(KPI);
          assertThat(message.retryOf()).isNull();
          assertThat(message.body())
              .isEqualTo(
                  ("{\"executionId\":%s,\"workflowId\":\"Report_1602842568\",\"currentTaskId\":1,"
                          + "\"nextTaskId\":2,\"sequence\":1,\"isWorkflowTaskRetry\":false}")
                      .formatted(id));
        });

    assertThat(broker.deliver()).isEqualTo(DONE);
    rest();
    assertThat(log).containsExactly("KPI");
    assertThat(broker.sent).singleElement().satisfies(m -> assertThat(m.channel()).isEqualTo(PDF));

    broker.deliver();
    rest();
    assertThat(log).containsExactly("KPI", "PDF", "EMAIL");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(broker.sent).isEmpty();
  }

  @Test
  void aLostMessageCostsTimeAndNothingElse() {
    begun();
    broker.sent.clear();

    engine.advance(PATIENCE);

    assertThat(log).containsExactly("KPI");
    broker.sent.clear();
    engine.advance(PATIENCE.plusSeconds(2));
    assertThat(log).containsExactly("KPI", "PDF", "EMAIL");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
  }

  @Test
  void aChannelThatIsRefusedKeepsNoOtherFromReceiving() {
    broker.refused = "A.refused";
    sequences().tasks().add(Task.of("BAD", TYPE).component("KPI").channel("A.refused"));
    sequences().tasks().add(Task.of("FINE", TYPE).component("PDF").channel("Z.fine"));
    sequences().add(sequence("Other", DAILY, "BAD", "FINE"));

    engine.advance(Duration.ofMinutes(2));
    assertThat(broker.receivers).containsOnlyKeys(KPI, PDF, "Z.fine");

    broker.refused = null;
    engine.advance(Duration.ofMinutes(2));
    assertThat(broker.receivers).containsOnlyKeys(KPI, PDF, "Z.fine", "A.refused");
  }

  @Test
  void aRepeatedMessageDoesNothing() {
    begun();
    var message = broker.sent.getFirst();
    broker.deliver();
    rest();
    broker.deliver();
    rest();

    assertThat(broker.deliver(message.channel(), message.body(), message.id())).isEqualTo(DONE);
    rest();

    assertThat(log).containsExactly("KPI", "PDF", "EMAIL");
  }

  @Test
  void aLateMessageDoesNothing() {
    begun();
    var message = broker.sent.removeFirst();
    engine.advance(PATIENCE);
    assertThat(log).containsExactly("KPI");

    assertThat(broker.deliver(message.channel(), message.body(), message.id())).isEqualTo(DONE);
    rest();

    assertThat(log).containsExactly("KPI");
  }

  @Test
  void theMessageOfAnotherProgramRunsWhatWaits() {
    long id = begun();
    broker.sent.clear();
    String sample =
        """
        {
            "executionId": %s,
            "workflowId": "Report_1602842568",
            "currentTaskId": 1,
            "nextTaskId": 2,
            "sequence": 1,
            "isWorkflowTaskRetry": false
        }\
        """
            .formatted(id);

    assertThat(broker.deliver(KPI, sample, null)).isEqualTo(DONE);
    rest();

    assertThat(log).containsExactly("KPI");
    assertThat(broker.deliver(KPI, sample, null)).isEqualTo(DONE);
    rest();
    assertThat(log).containsExactly("KPI");
  }

  @Test
  void whatCannotBeUsedIsRejectedWithTheReason() {
    long id = begun();
    String fine = broker.sent.getFirst().body();

    assertRejected(fine.replace("" + id, "999999"), "Execution 999999 is not known");
    assertRejected(fine.replace("Report_16", "Other_16"), "which the message names for sequence");
    assertRejected(fine.replace("Report_16", "\\ud83dReport_16"), "half of a surrogate pair");
    assertRejected(fine.replace("\"sequence\":1", "\"sequence\":3"), "has no task 1 at position 3");
    assertRejected(
        fine.replace("\"sequence\":1", "\"sequence\":\"1\""), "'sequence' is 1 (String)");
    assertRejected(fine.replace("\"sequence\":1,", ""), "'sequence' is missing");
    assertRejected(fine.replace("\"sequence\":1", "\"sequence\":1.5"), "expected a whole number");
    assertRejected("hello", "must be a JSON object");
    assertRejected("null", "must be a JSON object");
    assertRejected("[1]", "must be a JSON object");
    assertRejected("x".repeat(10_000_000), "has 10000000 characters");
    rest();
    assertThat(log).isEmpty();
  }

  private void assertRejected(String body, String words) {
    assertThat(broker.deliver(KPI, body, null))
        .isInstanceOfSatisfying(
            DeliveryOutcome.Reject.class, reject -> assertThat(reject.reason()).contains(words));
  }

  @Test
  void aRetryIsFlaggedAndNamesWhatItRepeats() {
    failures = 1;
    long id = begun();
    broker.deliver();
    engine.advance(Duration.ofSeconds(10));

    assertThat(broker.sent)
        .singleElement()
        .satisfies(message -> {
          assertThat(message.body()).contains("\"isWorkflowTaskRetry\":true");
          assertThat(message.retryOf()).isEqualTo(id + "-1");
        });
    assertThat(status()).isEqualTo(SequenceStatus.ERROR);
    broker.deliver();
    rest();
    assertThat(log).containsExactly("KPI", "KPI");
    assertThat(status()).isEqualTo(SequenceStatus.IN_PROGRESS);
  }

  @Test
  void aBrokerThatIsAwayShowsAndCostsTime() {
    broker.failure = "connection refused";
    long id = begun();
    assertThat(status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
    assertThat(get().last().undelivered()).isEqualTo("connection refused");
    assertThat(engine.client().statusReason(id))
        .isInstanceOfSatisfying(
            StatusReason.WaitingForChannel.class,
            reason ->
                assertThat(reason.sentence())
                    .contains("channel '" + reason.channel() + "'", "connection refused"));

    engine.advance(PATIENCE);
    assertThat(log).containsExactly("KPI");
    assertThat(status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);

    broker.failure = null;
    engine.advance(Duration.ofSeconds(20));
    broker.deliver();
    rest();
    assertThat(log).containsExactly("KPI", "PDF", "EMAIL");
  }

  @Test
  void aSequenceWhoseTaskFailsAllRetriesIsAborted() {
    failures = 2;
    begun();
    broker.deliver();
    engine.advance(Duration.ofSeconds(10));
    broker.deliver();
    rest();

    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(broker.sent).isEmpty();
  }

  @Test
  void aCancelledExecutionIgnoresItsMessage() {
    long id = begun();
    engine.client().cancel(id, BY_ANN);

    assertThat(broker.deliver()).isEqualTo(DONE);
    rest();

    assertThat(log).isEmpty();
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CANCELLED);
  }

  @Test
  void aCrashAfterTheMessageWasTakenIsRecovered() {
    begun();
    broker.deliver();
    engine.killExecutor();

    engine.advance(engine.leaseTime().multipliedBy(2));

    assertThat(log).contains("KPI");
    while (!broker.sent.isEmpty()) {
      broker.deliver();
      rest();
    }
    assertThat(log).containsSequence("PDF", "EMAIL");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
  }
}
