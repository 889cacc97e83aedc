package io.millrace.demo.shop;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.demo.shop.ProductCatalog.Item;
import io.millrace.instance.StartRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fan-out: one stocktake, one child for each shelf, and the total of refilled pieces. */
public final class Stocktake {

  public static final String TYPE = "stocktake";

  /** Type of the children. */
  public static final String SHELF = "shelf-count";

  private static final String MISSING = "missing";
  private static final String REFILLED = "refilled";

  private static final Logger LOG = LoggerFactory.getLogger(Stocktake.class);

  private final DemoShop demoShop;

  /** The parent's states. */
  enum State {
    SPLIT,
    JOIN,
    DONE
  }

  /** The child's states. */
  enum Shelf {
    COUNT,
    REFILL,
    FULL
  }

  Stocktake(DemoShop demoShop) {
    this.demoShop = demoShop;
  }

  WorkflowDefinition parent() {
    return WorkflowDefinition.of(TYPE, State.class)
        .description("Counts all shelves at the same time, and fills them up.")
        .start(State.SPLIT, Stocktake::split)
        .state(State.JOIN, Stocktake::join)
        .end(State.DONE)
        .permit(State.SPLIT, State.JOIN)
        .permit(State.JOIN, State.DONE)
        .build();
  }

  WorkflowDefinition child() {
    return WorkflowDefinition.of(SHELF, Shelf.class)
        .description("Counts one shelf, and fills it up.")
        .start(Shelf.COUNT, this::count)
        .state(Shelf.REFILL, this::refill)
        .end(Shelf.FULL)
        .permit(Shelf.COUNT, Shelf.REFILL, Shelf.FULL)
        .permit(Shelf.REFILL, Shelf.FULL)
        .build();
  }

  private static Next split(StateContext ctx) {
    ctx.spawnAll(
        ProductCatalog.ITEMS.stream()
            .map(item -> StartRequest.of(SHELF, item.name()).businessKey(item.name()))
            .toList());
    LOG.info("Counting {} shelves", ProductCatalog.ITEMS.size());
    return Next.waitForChildren(State.JOIN, ProductCatalog.ITEMS.size() + " shelves to count");
  }

  private static Next join(StateContext ctx) {
    if (ctx.children().failed() > 0) {
      return Next.fail(ctx.children().failed() + " shelves could not be counted");
    }
    int refilled = ctx.childVariables(MISSING, Integer.class).stream().mapToInt(n -> n).sum();
    LOG.info("{} pieces were missing", refilled);
    ctx.set(REFILLED, refilled);
    return Next.moveTo(
        State.DONE, refilled + (refilled == 1 ? " piece" : " pieces") + " put on the shelves");
  }

  private Next count(StateContext ctx) throws InterruptedException {
    Item item = ProductCatalog.item(ctx.input(String.class));
    demoShop.countPieces(item.shelf());
    int found = demoShop.warehouse().count(item.name());
    LOG.info("Found {} of {} {}s", found, item.shelf(), item.name());
    ctx.set(MISSING, Math.max(0, item.shelf() - found));
    return found >= item.shelf()
        ? Next.moveTo(Shelf.FULL, "the shelf is full")
        : Next.moveTo(Shelf.REFILL, found + " of " + item.shelf() + " left");
  }

  private Next refill(StateContext ctx) {
    int missing = demoShop.warehouse().refill(ctx.input(String.class));
    LOG.info("Put {} more on the shelf", missing);
    return Next.moveTo(Shelf.FULL, missing + " more on the shelf");
  }
}
