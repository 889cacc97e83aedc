package io.millrace.demo;

import io.millrace.WorkflowClient;
import io.millrace.demo.shop.Customers;
import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.demo.shop.OrderWorkflow.State;
import io.millrace.demo.shop.Stocktake;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The operators' actions of the past weeks, which take care of some of the failed and waiting
 * orders.
 */
final class SimulatedOperators {

  private static final Duration DAY = Duration.ofDays(1);

  /** Age at which a large order is reviewed. */
  private static final Duration BEFORE_REVIEW = Duration.ofHours(10);

  private static final int HANDFUL = 50;

  private final WorkflowClient client;
  private final VirtualTimeRunner time;

  SimulatedOperators(WorkflowClient client, VirtualTimeRunner time) {
    this.client = client;
    this.time = time;
  }

  /** Schedules the work of all days. */
  void plan(Instant begin, int days) {
    Instant midnight = begin.plus(Duration.ofHours(24 - OrderArrivals.HOUR_AT_END));
    for (int day = 0; day < days; day++, midnight = midnight.plus(DAY)) {
      int today = day;
      boolean last = day == days - 1;
      at(midnight, 5, 0, () -> client.start(StartRequest.of(Stocktake.TYPE)));
      at(midnight, 9, 4, this::review);
      at(midnight, 9, 37, this::mendFailures);
      at(midnight, 11, 12, () -> answerPhone(today, last));
    }
  }

  private void at(Instant midnight, int hour, int minute, Runnable work) {
    time.at(midnight.plus(Duration.ofMinutes(hour * 60L + minute)), work);
  }

  /** Reviews large orders, as Anna. */
  private void review() {
    for (WorkflowInstance order : orders(State.REVIEW, InstanceStatus.MANUAL)) {
      if (!isYounger(order, BEFORE_REVIEW)) {
        boolean meant = Customers.confirms(number(order));
        client.move(
            order.id(),
            State.REVIEW.name(),
            (meant ? State.PACK : State.UNDO).name(),
            OperatorAction.by(
                "anna", meant ? "the customer has confirmed it" : "nobody ordered that"));
      }
    }
  }

  /** Retries some of the failed orders, as Ben. */
  private void mendFailures() {
    for (WorkflowInstance order : orders(State.CHARGE, InstanceStatus.FAILED)) {
      if (isYounger(order, DAY) && Customers.ringsUp(number(order))) {
        client.retry(order.id(), OperatorAction.by("ben", "the gateway is back"));
      }
    }
    for (WorkflowInstance order : orders(State.SHIP, InstanceStatus.FAILED)) {
      if (Customers.ringsUp(number(order))) {
        client.editVariables(
            order.id(),
            Map.of(OrderWorkflow.ADDRESS, Customers.corrected(number(order))),
            OperatorAction.by("ben", "the customer gave the full address"));
        client.retry(order.id(), OperatorAction.by("ben", "address corrected"));
      }
    }
  }

  /** Answers customers who have changed their minds or go on vacation, as Carla. */
  private void answerPhone(int day, boolean last) {
    List<WorkflowInstance> unpaid = orders(State.AWAIT_PAYMENT, InstanceStatus.IN_PROGRESS);
    if (day % 3 == 1 && !unpaid.isEmpty()) {
      client.cancel(
          unpaid.getLast().id(), OperatorAction.by("carla", "the customer had ordered twice"));
    }
    for (WorkflowInstance order : orders(State.PACK, InstanceStatus.PAUSED)) {
      if (!isYounger(order, DAY.multipliedBy(4))) {
        client.resume(order.id(), OperatorAction.by("carla", "the customer is back"));
      }
    }
    List<WorkflowInstance> unpacked = orders(State.PACK, InstanceStatus.IN_PROGRESS);
    if ((day % 5 == 2 || last) && !unpacked.isEmpty()) {
      client.pause(
          unpacked.getFirst().id(), OperatorAction.by("carla", "the customer is on holiday"));
    }
  }

  private List<WorkflowInstance> orders(State state, InstanceStatus status) {
    InstanceQuery query =
        InstanceQuery.all()
            .type(OrderWorkflow.TYPE)
            .state(state.name())
            .status(status)
            .limit(HANDFUL);
    return client.search(query).items();
  }

  private boolean isYounger(WorkflowInstance order, Duration age) {
    return order.timing().created().isAfter(time.clock().instant().minus(age));
  }

  private static String number(WorkflowInstance order) {
    return Objects.requireNonNull(order.origin().externalId(), "orders have a number");
  }
}
