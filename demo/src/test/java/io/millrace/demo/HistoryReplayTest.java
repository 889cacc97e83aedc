package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.demo.shop.OrderWorkflow.State;
import io.millrace.demo.shop.Stocktake;
import io.millrace.instance.FailureGroup;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StatisticsBucket;
import io.millrace.instance.WorkflowInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests of the demo's history, with some days of it. */
final class HistoryReplayTest {

  private static final int DAYS = 8;
  private static final Instant BEGIN = DemoHistory.END.minus(Duration.ofDays(DAYS));

  private static DemoHistory history;
  private static List<WorkflowInstance> orders;

  @BeforeAll
  static void replay() {
    history = DemoHistory.of(DAYS);
    orders = history.all(InstanceQuery.all().type(OrderWorkflow.TYPE));
  }

  @AfterAll
  static void close() {
    history.close();
  }

  private static List<WorkflowInstance> orders(InstanceStatus status) {
    return orders.stream().filter(order -> order.status() == status).toList();
  }

  private static List<WorkflowInstance> waiting(State state) {
    return orders(InstanceStatus.IN_PROGRESS).stream()
        .filter(order -> order.state().equals(state.name()))
        .toList();
  }

  private static List<HistoryEntry> actions() {
    return history.all(InstanceQuery.all()).stream()
        .flatMap(instance -> history.client().history(instance.id()).stream())
        .toList();
  }

  @Test
  void mostOrdersAreFinishedAndAFewHaveFailed() {
    assertThat(orders).hasSizeBetween(95 * DAYS, 110 * DAYS);
    assertThat(orders(InstanceStatus.FAILED).size())
        .isBetween(orders.size() * 2 / 100, orders.size() * 45 / 1000);
    assertThat(orders(InstanceStatus.FINISHED).size()).isGreaterThan(orders.size() * 75 / 100);
    assertThat(orders(InstanceStatus.EXECUTING)).isEmpty();
    assertThat(orders(InstanceStatus.CREATED)).isEmpty();
  }

  @Test
  void someOrdersHaveNotEndedYet() {
    assertThat(waiting(State.AWAIT_PAYMENT)).hasSizeBetween(5, 40);
    assertThat(waiting(State.PACK)).isNotEmpty();
    assertThat(waiting(State.DELIVER)).hasSizeBetween(50, 200);
    assertThat(waiting(State.SHIP)).as("in back-off").isNotEmpty();
    assertThat(orders(InstanceStatus.MANUAL)).hasSizeBetween(1, 4);
    assertThat(orders(InstanceStatus.PAUSED)).hasSizeBetween(1, 3);
    assertThat(orders(InstanceStatus.CANCELLED)).hasSizeBetween(1, 6);
  }

  @Test
  void everyOrderThatHasNotEndedIsWaitingForSomethingInTheFuture() {
    assertThat(orders(InstanceStatus.IN_PROGRESS))
        .allMatch(order -> Objects.requireNonNull(order.nextActivation()).isAfter(DemoHistory.END));
  }

  @Test
  void failuresHaveTwoCauses() {
    Set<String> causes =
        orders(InstanceStatus.FAILED).stream()
            .map(order -> history.client().history(order.id()).getLast())
            .map(historyEntry -> String.valueOf(historyEntry.outcome().error()))
            .map(trace -> trace.lines().findFirst().orElse("").replaceAll(":.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(causes).hasSize(2);
    assertThat(String.join(" ", causes)).contains("AddressException", "GatewayTimeoutException");
  }

  @Test
  void everyHistoryIsOneChainWithoutGaps() {
    for (WorkflowInstance instance : history.all(InstanceQuery.all())) {
      List<HistoryEntry> actions = history.client().history(instance.id());
      assertThat(actions).hasSize(instance.seq());
      for (int i = 0; i < actions.size(); i++) {
        assertThat(actions.get(i).seq()).isEqualTo(i + 1);
        if (i > 0) {
          assertThat(actions.get(i).move().from()).isEqualTo(actions.get(i - 1).move().to());
          assertThat(actions.get(i).span().ended())
              .isAfterOrEqualTo(actions.get(i - 1).span().ended());
        }
      }
    }
  }

  @Test
  void nothingHappenedBeforeOrAfterThePeriod() {
    assertThat(actions())
        .allMatch(historyEntry ->
            !historyEntry.span().started().isBefore(BEGIN)
                && !historyEntry.span().ended().isAfter(DemoHistory.END));
  }

  @Test
  void ordersComeEveryDayAndMostlyByDay() {
    int[] perDay = new int[DAYS];
    int byNight = 0;
    for (WorkflowInstance order : orders) {
      Duration age = Duration.between(BEGIN, order.timing().created());
      perDay[(int) age.toDays()]++;
      byNight += (OrderArrivals.HOUR_AT_END + age.toHours()) % 24 < 6 ? 1 : 0;
    }
    assertThat(Arrays.stream(perDay)).allMatch(count -> count > 60);
    assertThat(byNight).isBetween(1, orders.size() / 15);
  }

  @Test
  void theShopsPeopleAreNamedInTheHistory() {
    Set<String> actions =
        actions().stream()
            .filter(historyEntry -> historyEntry.author().actor() != null)
            .map(historyEntry -> historyEntry.author().actor() + " " + historyEntry.type().code())
            .collect(Collectors.toSet());

    assertThat(actions)
        .contains(
            "anna " + HistoryEntryType.MOVE.code(),
            "ben " + HistoryEntryType.RETRY.code(),
            "carla " + HistoryEntryType.CANCEL.code(),
            "carla " + HistoryEntryType.PAUSE.code());
  }

  @Test
  void theStatisticsShowEveryDay() {
    Instant from = BEGIN.truncatedTo(ChronoUnit.HOURS);
    List<StatisticsBucket> days =
        history.store.statistics().series(from, DemoHistory.END, Duration.ofDays(1), null);

    assertThat(days.subList(0, DAYS)).allMatch(day -> day.started() > 60 && day.finished() > 20);
    assertThat(days).anyMatch(day -> day.failed() > 0);
    assertThat(history.store.statistics().failures(OrderWorkflow.TYPE, 10))
        .extracting(FailureGroup::state)
        .containsExactlyInAnyOrder(State.CHARGE.name(), State.SHIP.name());
  }

  @Test
  void stocktakesHaveTheirChildren() {
    List<WorkflowInstance> stocktakes = history.all(InstanceQuery.all().type(Stocktake.TYPE));

    assertThat(stocktakes)
        .hasSize(DAYS)
        .allMatch(stocktake -> stocktake.status() == InstanceStatus.FINISHED)
        .allMatch(stocktake -> stocktake.children().total() == 10);
  }

  @Test
  void handlersTookTimeAndSaidWhatTheyDid() {
    WorkflowInstance delivered =
        orders(InstanceStatus.FINISHED).stream()
            .filter(order -> order.state().equals(State.DELIVERED.name()))
            .findFirst()
            .orElseThrow();

    assertThat(history.client().history(delivered.id()))
        .anyMatch(historyEntry ->
            Duration.between(historyEntry.span().started(), historyEntry.span().ended()).toMillis()
                > 50);
    assertThat(history.lines(delivered.id()))
        .anyMatch(line -> line.message().startsWith("Charged EUR"))
        .allMatch(line -> line.at().isBefore(DemoHistory.END));
  }

  @Test
  void theSameEndGivesTheSameHistory() {
    try (DemoHistory one = DemoHistory.of(1);
        DemoHistory other = DemoHistory.of(1)) {
      assertThat(one.made).isEqualTo(other.made);
      assertThat(one.dump()).isNotEmpty().isEqualTo(other.dump());
    }
  }
}
