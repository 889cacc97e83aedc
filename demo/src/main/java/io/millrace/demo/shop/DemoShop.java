package io.millrace.demo.shop;

import io.millrace.definition.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A small online shop in memory. Only its workflows store data. Thread-safe. */
public final class DemoShop {

  private static final Duration BETWEEN_ROUNDS = Duration.ofHours(2);
  private static final Duration PER_PIECE = Duration.ofMillis(15);

  private final Warehouse warehouse = new Warehouse();
  private final PaymentGateway gateway;
  private final Carrier carrier;
  private final Instant opened;
  private final Sleeper sleeper;

  /**
   * @param opened time of a round of packing; the others follow every two hours
   * @param sleeper lets the time pass in which people and partners work
   */
  public DemoShop(Instant opened, Sleeper sleeper) {
    this.opened = opened;
    this.sleeper = sleeper;
    this.gateway = new PaymentGateway(sleeper);
    this.carrier = new Carrier(sleeper);
  }

  /** Returns the workflows that run the shop. */
  public List<WorkflowDefinition> definitions() {
    Stocktake stocktake = new Stocktake(this);
    return List.of(new OrderWorkflow(this).definition(), stocktake.parent(), stocktake.child());
  }

  Warehouse warehouse() {
    return warehouse;
  }

  PaymentGateway gateway() {
    return gateway;
  }

  Carrier carrier() {
    return carrier;
  }

  void countPieces(int pieces) throws InterruptedException {
    sleeper.sleep(PER_PIECE.multipliedBy(pieces));
  }

  /** Returns the time of the next round of packing. */
  Instant nextRound(Instant now) {
    long seconds = BETWEEN_ROUNDS.toSeconds();
    long since = Math.floorMod(Duration.between(opened, now).toSeconds(), seconds);
    return now.plusSeconds(seconds - since);
  }
}
