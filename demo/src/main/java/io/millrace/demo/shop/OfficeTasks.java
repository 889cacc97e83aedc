package io.millrace.demo.shop;

import io.millrace.EngineBuilder;
import io.millrace.sequence.Chunk;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tasks of the shop's office, which run on a calendar. Thread-safe. */
public final class OfficeTasks {

  /** The type of the tasks, and of sequences made of them. */
  public static final String TYPE = "Shop";

  public static final String SALES = "COLLECT_SALES";
  public static final String BOOKS = "BALANCE_BOOKS";
  public static final String SUMMARY = "SEND_SUMMARY";
  public static final String RATES = "FETCH_RATES";
  public static final String STOCK = "ORDER_STOCK";
  public static final String ARCHIVE = "ARCHIVE_ORDERS";
  public static final String NEWSLETTER = "SEND_NEWSLETTER";

  private static final int SHELVES = 10;
  private static final long HOUR = 3_600;

  /** Options with few and quick retries, which show how retries work. */
  private static final Task.Options SOON = new Task.Options(2, 1_000L, null, false, 0, Map.of());

  private final Path fullDisk;

  /**
   * @param folder folder of a file that records which execution found the archive's disk full
   */
  public OfficeTasks(Path folder) {
    this.fullDisk = folder.resolve("archive-disk-full");
  }

  /** Registers all tasks. */
  public void addTo(EngineBuilder builder) {
    builder
        .task(Task.of(SALES, TYPE), OfficeTasks::collect)
        .task(Task.of(BOOKS, TYPE).options(SOON), OfficeTasks::balance)
        .task(Task.of(SUMMARY, TYPE), OfficeTasks::summarize)
        .task(Task.of(RATES, TYPE).options(SOON), OfficeTasks::rates)
        .task(Task.of(STOCK, TYPE), OfficeTasks::order)
        .task(Task.of(ARCHIVE, TYPE).options(SOON), this::archive)
        .task(Task.of(NEWSLETTER, TYPE), task -> task.statusLog("sent to 1,204 customers"));
  }

  /** Resets the state: the next execution finds the archive's disk full. */
  public void forget() {
    try {
      Files.deleteIfExists(fullDisk);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a number for a window: always the same for one window, different for others. */
  private static int number(Instant from, int least, int most) {
    return least + Math.floorMod((from.getEpochSecond() / HOUR) * 2_654_435_761L, most - least);
  }

  private static void collect(TaskContext task) {
    int orders = number(task.window().from(), 70, 140);
    task.setResult("orders", orders);
    task.setResult("cents", orders * 4_217L);
    task.statusLog(orders + " orders collected");
  }

  /**
   * Books the sales; about one night in four the first attempt fails because the ledger is in use.
   */
  private static void balance(TaskContext task) {
    long cents = task.result("cents", Long.class).orElse(0L);
    if (task.attempt() == 1 && number(task.window().from(), 0, 4) == 0) {
      throw new IllegalStateException("The ledger is open at the accountant's");
    }
    task.statusLog(String.format(Locale.ROOT, "%,.2f euros booked", cents / 100.0));
  }

  private static void summarize(TaskContext task) {
    int orders = task.result("orders", Integer.class).orElse(0);
    task.statusLog("summary of " + orders + " orders sent to anna and ben");
  }

  private static void rates(TaskContext task) {
    int rate = number(task.window().from(), 10_600, 11_200);
    if (task.attempt() == 1 && rate % 9 == 0) {
      throw new IllegalStateException("The bank answers 503");
    }
    task.statusLog(String.format(Locale.ROOT, "1 EUR = %.4f USD", rate / 10_000.0));
  }

  private static void order(TaskContext task) throws Exception {
    List<Chunk<Integer>> shelves = new ArrayList<>();
    for (int shelf = 1; shelf <= SHELVES; shelf++) {
      int boxes = number(task.window().from().plusSeconds(shelf * HOUR), 0, 6);
      shelves.add(new Chunk<>("shelf " + shelf, () -> boxes));
    }
    int boxes = task.chunks(Integer.class, shelves).stream().mapToInt(n -> n).sum();
    task.statusLog(boxes + " boxes ordered for " + SHELVES + " shelves");
  }

  /** Fails in all attempts of the first execution; the disk has been cleared by the next one. */
  private void archive(TaskContext task) throws IOException {
    String own = String.valueOf(task.executionId());
    if (!Files.exists(fullDisk)) {
      Files.writeString(fullDisk, own);
    }
    if (Files.readString(fullDisk).equals(own)) {
      throw new IOException("No space left on the archive's disk");
    }
    task.statusLog("last month's orders are in the archive");
  }
}
