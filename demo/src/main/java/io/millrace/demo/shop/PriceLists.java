package io.millrace.demo.shop;

import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.FolderTrigger;
import io.millrace.continuous.TriggerEvent;
import io.millrace.continuous.Triggers;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyStatus;
import io.millrace.data.ReducedRecord;
import io.millrace.data.Reduction;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The price lists that suppliers drop into a folder. Each new or changed price starts one instance;
 * a list that is dropped twice starts none the second time. Thread-safe.
 */
public final class PriceLists {

  /** Name of the continuous workflow, and of the group of records that it reduces. */
  public static final String WATCH = "folder-watch";

  /** Type of the children, one for each price. */
  public static final String CHANGE = "price-change";

  /** Group of the keys and values that hold the prices. */
  public static final String PRICES = "prices";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String FIRST =
      """
      [
        {"sku": "lamp", "cents": 1990},
        {"sku": "kettle", "cents": 3450},
        {"sku": "chair", "cents": 8900}
      ]
      """;

  private final Path folder;

  /** The states of a list. */
  enum State {
    READ,
    CHANGES,
    DONE
  }

  /** A line of a list. */
  record Price(String sku, int cents) {}

  /**
   * @param folder folder into which lists are dropped
   */
  public PriceLists(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** Returns the folder into which lists are dropped. */
  public Path folder() {
    return folder;
  }

  /** Creates the folder with one list in it. */
  public void open() {
    Path first = folder.resolve("prices.json");
    try {
      Files.createDirectories(folder);
      if (!Files.exists(first)) {
        Files.writeString(first, FIRST);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Registers the workflows. */
  public void addTo(EngineBuilder builder) {
    FolderTrigger lists =
        Triggers.folder(folder)
            .glob("*.json")
            .settle(Duration.ofSeconds(1))
            .every(Duration.ofSeconds(2));
    builder.continuous(ContinuousWorkflow.of(WATCH, lists).runs(list())).workflows(change());
  }

  private static WorkflowDefinition list() {
    return WorkflowDefinition.of(WATCH, State.class)
        .description("Takes over the prices of a list that are new or have changed.")
        .start(State.READ, PriceLists::read)
        .state(State.CHANGES, ctx -> Next.moveTo(State.DONE, "all changes are made"))
        .end(State.DONE)
        .permit(State.READ, State.CHANGES, State.DONE)
        .permit(State.CHANGES, State.DONE)
        .build();
  }

  private static WorkflowDefinition change() {
    return WorkflowDefinition.of(CHANGE)
        .description("Takes over one price.")
        .start("take", PriceLists::take)
        .build();
  }

  private static Next read(StateContext ctx) throws IOException {
    FolderTrigger.FileEvent file = TriggerEvent.of(ctx).payload(FolderTrigger.FileEvent.class);
    List<Price> prices;
    try {
      prices = List.of(JSON.readValue(Files.readString(Path.of(file.path())), Price[].class));
    } catch (NoSuchFileException e) {
      return Next.fail(file.name() + " is gone");
    } catch (JacksonException e) {
      return Next.fail(
          file.name() + " is no list of prices such as [{\"sku\": \"lamp\", \"cents\": 1990}]");
    }
    Reduction<Price> reduction = ctx.reduce(WATCH).key("/sku").reduce(prices);
    reduction.commit();
    String without =
        reduction.faults().isEmpty() ? "" : ", " + reduction.faults().size() + " without a sku";
    if (reduction.changed().isEmpty()) {
      return Next.moveTo(State.DONE, "nothing new in " + file.name() + without);
    }
    ctx.spawnAll(
        reduction.changed().stream()
            .map(ReducedRecord::value)
            .map(price -> StartRequest.of(CHANGE, price).businessKey(price.sku()))
            .toList());
    return Next.waitForChildren(
        State.CHANGES,
        reduction.changed().size()
            + " of "
            + prices.size()
            + " prices are new or changed"
            + without);
  }

  private static Next take(StateContext ctx) {
    Price price = ctx.input(Price.class);
    String cents = String.valueOf(price.cents());
    ctx.keyValues().set(PRICES, price.sku(), KeyContent.of(cents).status(KeyStatus.SUCCESS));
    return Next.done(price.sku() + " costs " + cents + " cents");
  }
}
