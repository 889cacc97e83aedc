package io.millrace.demo;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.demo.shop.Customers;
import io.millrace.demo.shop.DemoShop;
import io.millrace.demo.shop.Order;
import io.millrace.demo.shop.OrderWorkflow;
import io.millrace.event.EngineEvent;
import io.millrace.examples.report.RepositoryReports;
import io.millrace.instance.ConflictException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replay that creates the shop's history: the real engine runs the real workflows through the
 * real store, on a clock that jumps from one event to the next. The same end gives the same
 * history.
 */
final class HistoryReplay {

  private static final Logger LOG = LoggerFactory.getLogger(HistoryReplay.class);
  private static final long SEED = 20_260_101;
  static final int FIRST_ORDER = 10_001;
  private static final Duration SINCE_PACKING = Duration.ofMinutes(64);

  private final int days;
  private final Instant begin;
  private final Instant end;
  private final VirtualTimeRunner time;
  private final @Nullable RepositoryReports reports;
  private final IntConsumer dayMade;
  private final Set<Long> instances = new HashSet<>();
  private int attempts;

  /** The number of instances and attempts that were created. */
  record Result(int instances, int attempts) {}

  /**
   * @param end time at which the history ends and real time starts
   * @param reports null for none
   * @param dayMade receives the number of completed days: 0 at first, and never all of them
   */
  HistoryReplay(Instant end, int days, @Nullable RepositoryReports reports, IntConsumer dayMade) {
    this.days = days;
    this.begin = end.minus(Duration.ofDays(days));
    this.end = end;
    this.time = new VirtualTimeRunner(begin, end);
    this.reports = reports;
    this.dayMade = dayMade;
  }

  /** Fills an empty database. */
  Result run(DataSource database) {
    SqlStore store =
        SqlStore.open(database, new SqlStore.Options(SchemaMode.CREATE, time.clock(), false));
    DemoDatabase.relaxDurability(database);
    try (ReplayLog log = new ReplayLog(store.logs(), time.clock()).attach();
        Engine engine = engine(store)) {
      WorkflowClient client = engine.client();
      planOrders(client);
      new SimulatedOperators(client, time).plan(begin, days);
      planReports(client);
      for (int day = 0; day < days; day++) {
        int made = day;
        time.at(begin.plus(Duration.ofDays(day)), () -> dayMade.accept(made));
      }
      time.run();
      log.write();
      while (engine.admin().rollUp(end) > 0) {
        // each call handles a bounded number of starts and ends
      }
    }
    return new Result(instances.size(), attempts);
  }

  private Engine engine(SqlStore store) {
    List<WorkflowDefinition> definitions =
        new ArrayList<>(new DemoShop(end.minus(SINCE_PACKING), time).definitions());
    if (reports != null) {
      definitions.add(reports.definition());
    }
    return Engine.builder()
        .store(store)
        .workflows(definitions)
        .settings(settings())
        .runtime(new EngineRuntime(time.clock(), time, new Random(SEED)))
        .listener(this::count)
        .start();
  }

  /**
   * Returns settings with long intervals: no other executor exists, so heartbeats and polls may be
   * days apart.
   */
  private static EngineSettings settings() {
    return EngineSettings.defaults()
        .lease(Duration.ofDays(4), Duration.ofDays(1))
        .maxSleep(Duration.ofDays(3))
        .stuckAfter(Duration.ofDays(1));
  }

  private void count(EngineEvent event) {
    if (event instanceof EngineEvent.TransitionSaved saved) {
      instances.add(saved.instanceId());
      attempts++;
    }
  }

  private void planOrders(WorkflowClient client) {
    int number = FIRST_ORDER;
    for (Instant placed : OrderArrivals.orders(end, days, SEED)) {
      Order order = Customers.order(number++);
      time.at(placed, () -> place(client, order));
    }
  }

  private void place(WorkflowClient client, Order order) {
    long id = client.start(Customers.request(order)).id();
    Customers.paysAfter(order)
        .ifPresent(
            delay -> time.at(time.clock().instant().plus(delay), () -> pay(client, id, order)));
  }

  private static void pay(WorkflowClient client, long id, Order order) {
    try {
      client.signal(
          id, OrderWorkflow.PAID, Customers.payment(order), order.customer(), order.number());
    } catch (ConflictException e) {
      LOG.debug("Order {} has ended before it was paid", order.number());
    }
  }

  private void planReports(WorkflowClient client) {
    if (reports != null) {
      for (int day = 2; day < days; day += 7) {
        time.at(begin.plus(Duration.ofDays(day)), () -> reports.start(client));
      }
    }
  }
}
