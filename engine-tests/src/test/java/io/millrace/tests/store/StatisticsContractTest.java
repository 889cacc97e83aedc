package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.EXECUTING;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.FailureGroup;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StateCount;
import io.millrace.instance.StateTiming;
import io.millrace.instance.StatisticsBucket;
import io.millrace.instance.TypeCount;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.StatisticsStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that counts are exact. Each test starts at a full hour, long after the one before. */
class StatisticsContractTest extends StoreContract {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TOOK = SaveSpec.TOOK;

  private Instant begin;

  StatisticsContractTest(StoreFixture subject) {
    super(subject);
  }

  @BeforeEach
  void fullHour() {
    clock.set(now().plus(Duration.ofDays(10)).truncatedTo(ChronoUnit.DAYS));
    begin = now();
    store.executors().renew(executor, Duration.ofDays(100), ExecutorInfo.Load.NONE);
  }

  private StatisticsStore statistics() {
    return store.statistics();
  }

  private void rollUp() {
    while (statistics().rollUp(now()) > 0) {}
  }

  private WorkflowInstance end(InstanceStatus status) {
    return saveAccepted(transitionOf(startAndClaim()).end(status));
  }

  private List<StatisticsBucket> series(Duration length, Duration step) {
    return statistics().series(begin, begin.plus(length), step, type);
  }

  private static StatisticsBucket bucket(
      Instant start, long started, long finished, Duration mean) {
    return new StatisticsBucket(start, started, finished, 0, 0, mean);
  }

  @Test
  void openAndFailedByTypeAndStatus() {
    start(3);
    startAndClaim();
    startAndClaim();
    end(FAILED);
    end(FINISHED);
    end(CANCELLED);
    end(MANUAL);
    saveAccepted(transitionOf(startAndClaim()));

    assertThat(statistics().countsByType())
        .filteredOn(count -> count.type().equals(type))
        .containsExactlyInAnyOrder(
            new TypeCount(type, CREATED, 3),
            new TypeCount(type, EXECUTING, 2),
            new TypeCount(type, FAILED, 1),
            new TypeCount(type, MANUAL, 1),
            new TypeCount(type, IN_PROGRESS, 1));
  }

  @Test
  void openAndFailedByState() {
    String startState = read(start(instance())).state();
    saveAccepted(transitionOf(startAndClaim()).to("pay"));
    saveAccepted(transitionOf(startAndClaim()).to("pay"));
    saveAccepted(transitionOf(startAndClaim()).to("pay").end(FAILED));
    saveAccepted(transitionOf(startAndClaim()).to("done").end(FINISHED));

    assertThat(statistics().countsByState(type))
        .containsExactlyInAnyOrder(
            new StateCount(1, startState, CREATED, 1),
            new StateCount(1, "pay", IN_PROGRESS, 2),
            new StateCount(1, "pay", FAILED, 1));
    assertThat(statistics().countsByState("unused")).isEmpty();
  }

  private WorkflowInstance failed(String fingerprint, String reason) {
    return saveAccepted(
        transitionOf(startAndClaim())
            .to("pay")
            .reason(reason)
            .end(FAILED)
            .failure(fingerprint + type));
  }

  @Test
  void failuresOfOneCauseAreAGroup() {
    failed("a", "first");
    advance(SECOND);
    WorkflowInstance second = failed("a", "second");
    WorkflowInstance alone = failed("b", "other");
    Instant last = now();

    FailureGroup first =
        new FailureGroup(
            "a" + type,
            type,
            "pay",
            2,
            new FailureGroup.Newest(second.id(), "second"),
            begin,
            last);
    FailureGroup other =
        new FailureGroup(
            "b" + type, type, "pay", 1, new FailureGroup.Newest(alone.id(), "other"), last, last);
    assertThat(statistics().failures(type, 10)).containsExactly(first, other);
    assertThat(statistics().failures(type, 1)).containsExactly(first);
    assertThat(statistics().failures(null, 1000)).contains(first, other);
    assertThat(statistics().failures("unused", 10)).isEmpty();

    applyAccepted(second, new OperatorCommand.Retry());
    assertThat(statistics().failures(type, 10))
        .extracting(FailureGroup::count)
        .containsExactly(1L, 1L);
  }

  @Test
  void whoIsParkedIsInAGroupToo() {
    saveAccepted(transitionOf(startAndClaim()).end(MANUAL).failure("a" + type));
    Instant first = now();
    advance(SECOND);
    saveAccepted(transitionOf(startAndClaim()).end(MANUAL).failure("a" + type));

    FailureGroup group = statistics().failures(type, 10).getFirst();
    assertThat(group.count()).isEqualTo(2);
    assertThat(group.first()).isEqualTo(first);
    assertThat(group.last()).isEqualTo(now());
  }

  @Test
  void startsAndEndsInTheirMinutes() {
    WorkflowInstance one = startAndClaim();
    WorkflowInstance two = startAndClaim();
    advance(MINUTE.plusSeconds(10));
    saveAccepted(transitionOf(one).end(FINISHED));
    advance(MINUTE);
    saveAccepted(transitionOf(two).end(FINISHED));
    end(FAILED);
    end(CANCELLED);
    advance(MINUTE.multipliedBy(5));
    rollUp();

    assertThat(series(MINUTE.multipliedBy(4), MINUTE))
        .containsExactly(
            bucket(begin, 2, 0, null),
            bucket(begin.plus(MINUTE), 0, 1, MINUTE.plusSeconds(10)),
            new StatisticsBucket(
                begin.plus(MINUTE.multipliedBy(2)), 2, 1, 1, 1, Duration.ofSeconds(130)),
            bucket(begin.plus(MINUTE.multipliedBy(3)), 0, 0, null));
    assertThat(series(HOUR, HOUR))
        .containsExactly(new StatisticsBucket(begin, 4, 2, 1, 1, Duration.ofSeconds(100)));
    assertThat(series(MINUTE.multipliedBy(4), MINUTE.multipliedBy(3)))
        .containsExactly(
            new StatisticsBucket(begin, 4, 2, 1, 1, Duration.ofSeconds(100)),
            bucket(begin.plus(MINUTE.multipliedBy(3)), 0, 0, null));
    assertThat(statistics().series(begin, begin.plus(HOUR), HOUR, "unused"))
        .containsExactly(bucket(begin, 0, 0, null));
    assertThat(statistics().series(begin, begin.plus(HOUR), HOUR, null))
        .singleElement()
        .satisfies(all -> assertThat(all.started()).isGreaterThanOrEqualTo(4));
    assertThat(statistics().series(begin, begin, HOUR, type)).isEmpty();
  }

  @Test
  void rollingUpAgainCountsNothingTwice() {
    end(FINISHED);
    end(FINISHED);
    advance(MINUTE.multipliedBy(2));
    rollUp();
    assertThat(statistics().rollUp(now())).isZero();
    end(FINISHED);
    rollUp();
    assertThat(series(HOUR, HOUR).getFirst().finished()).isEqualTo(2);

    advance(MINUTE.multipliedBy(2));
    rollUp();
    assertThat(series(HOUR, HOUR).getFirst().finished()).isEqualTo(3);
    assertThat(series(HOUR, HOUR).getFirst().started()).isEqualTo(3);
  }

  @Test
  void theLastMinuteIsLeftOut() {
    advance(Duration.ofSeconds(30));
    end(FINISHED);
    advance(Duration.ofSeconds(89));
    rollUp();
    assertThat(series(HOUR, HOUR).getFirst().started()).isZero();

    advance(SECOND);
    rollUp();
    assertThat(series(HOUR, HOUR).getFirst()).isEqualTo(bucket(begin, 1, 1, Duration.ZERO));
  }

  @Test
  void aFailureStaysCountedAndTheEndAfterARetryIsCountedAsWell() {
    WorkflowInstance counted = end(FAILED);
    advance(MINUTE.multipliedBy(3));
    WorkflowInstance quick = end(FAILED);
    rollUp();
    applyAccepted(counted, new OperatorCommand.Retry());
    applyAccepted(quick, new OperatorCommand.Retry());
    claim(10).forEach(i -> saveAccepted(transitionOf(i).end(FINISHED)));
    advance(MINUTE.multipliedBy(3));
    rollUp();

    StatisticsBucket all = series(HOUR, HOUR).getFirst();
    assertThat(all.started()).isEqualTo(2);
    assertThat(all.failed()).isEqualTo(1);
    assertThat(all.finished()).isEqualTo(2);
  }

  @Test
  void historyOfManyDaysIsRolledUpAtOnce() {
    int days = 10;
    for (int day = 0; day < days; day++) {
      end(FINISHED);
      advance(Duration.ofDays(1));
    }
    rollUp();

    assertThat(series(Duration.ofDays(days), Duration.ofDays(1)))
        .hasSize(days)
        .allMatch(bucket -> bucket.started() == 1 && bucket.finished() == 1);
    assertThat(series(Duration.ofDays(days), MINUTE.multipliedBy(30)))
        .filteredOn(bucket -> bucket.finished() > 0)
        .hasSize(days);
  }

  @Test
  void minutesAreKeptForTwoDays() {
    end(FINISHED);
    advance(MINUTE.multipliedBy(5));
    rollUp();
    assertThat(series(MINUTE, MINUTE).getFirst().finished()).isEqualTo(1);

    Duration later = Duration.ofDays(2).plus(MINUTE.multipliedBy(10));
    advance(later);
    rollUp();
    Instant now = now();
    assertThat(statistics().series(now.minus(HOUR), now, MINUTE, type)).hasSize(60);
    assertThat(series(HOUR, MINUTE.multipliedBy(7)).getFirst().finished()).isEqualTo(1);
    assertThat(series(later, HOUR).getFirst().finished()).isEqualTo(1);
  }

  @Test
  void theOldestMinuteIsKeptWhole() {
    end(FINISHED);
    advance(Duration.ofDays(2).plusSeconds(30));
    rollUp();

    Instant from = begin.plusSeconds(30);
    assertThat(statistics().series(from, from.plus(MINUTE), MINUTE, type).getFirst().finished())
        .isEqualTo(1);
  }

  @Test
  void aSeriesMayEndWithinASecond() {
    startAndClaim();
    advance(MINUTE.multipliedBy(3));
    rollUp();

    Duration part = Duration.ofMillis(500);
    assertThat(series(part, MINUTE)).extracting(StatisticsBucket::started).containsExactly(1L);
    assertThat(series(part, HOUR)).extracting(StatisticsBucket::started).containsExactly(1L);
  }

  @Test
  void aSeriesHasLimits() {
    for (Duration step :
        new Duration[] {Duration.ZERO, SECOND, MINUTE.plus(SECOND), MINUTE.negated()}) {
      assertThatThrownBy(() -> series(HOUR, step))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("whole minutes");
    }
    assertThatThrownBy(() -> series(Duration.ofDays(300), MINUTE))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("10000");
  }

  @Test
  void theOldestOfWhatIsDue() {
    claim(1000);
    Instant before = now();
    start(instance().due(NEVER));
    start(instance().due(SOON));
    assertThat(statistics().oldestDue().map(due -> due.isBefore(before))).isIn(dueBefore());
    start(instance().priority(9));
    advance(SECOND);
    start(instance());

    assertThat(statistics().oldestDue())
        .hasValueSatisfying(due -> assertThat(due).isBeforeOrEqualTo(before));
    advance(HOUR);
    claim(1000);
  }

  /** Returns the possible answers; other tests may have left due instances in their groups. */
  private static List<java.util.Optional<Boolean>> dueBefore() {
    return List.of(java.util.Optional.empty(), java.util.Optional.of(true));
  }

  @Test
  void howLongHandlersRan() {
    WorkflowInstance one = startAndClaim();
    String startState = one.state();
    saveAccepted(
        transitionOf(saveAccepted(transitionOf(one).to("pay").keepLease()))
            .to("done")
            .end(FINISHED));
    saveAccepted(transitionOf(startAndClaim()).retry(SECOND));
    applyAccepted(read(start(instance())), new OperatorCommand.Cancel());

    assertThat(statistics().timings(type, 100))
        .containsExactly(
            new StateTiming(startState, 2, 1, TOOK, TOOK, TOOK, Map.of("pay", 1L)),
            new StateTiming("pay", 1, 0, TOOK, TOOK, TOOK, Map.of("done", 1L)));
    assertThat(statistics().timings(type, 1)).isEmpty();
    assertThat(statistics().timings("unused", 100)).isEmpty();
  }

  /** Old minutes are many after a server was down for a week. */
  @Test
  void manyOldMinutesAreDeletedInParts() throws SQLException {
    if (subject.dataSource() == null) {
      return;
    }
    String rows = subject.toString().startsWith("POSTGRES") ? "generate_series" : "SYSTEM_RANGE";
    try (Connection connection = subject.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO millrace_statistics (grain, bucket_at, type, started_count, finished_count, failed_count,"
              + " cancelled_count, duration_micros) SELECT 'minute', TIMESTAMP WITH TIME ZONE '2000-01-01 00:00:00Z'"
              + " + n.x * INTERVAL '1' MINUTE, 'old', 1, 0, 0, 0, 0 FROM "
              + rows
              + "(1, 12000) AS n(x)");
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
      statistics().rollUp(now());
      assertThat(oldMinutes(statement)).isEqualTo(2_000);
      statistics().rollUp(now());
      assertThat(oldMinutes(statement)).isZero();
    }
  }

  private static long oldMinutes(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT COUNT(*) FROM millrace_statistics WHERE type = 'old'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
