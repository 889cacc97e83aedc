package io.millrace.verification.chaos.node;

import io.millrace.WorkflowClient;
import io.millrace.instance.Deed;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.Started;
import io.millrace.store.StoreException;
import io.millrace.verification.chaos.journal.JournalClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client at work: starts instances, signals, cancels, pauses and resumes them, and writes into
 * the journal what it asked for and what it was answered. A call whose outcome is unknown is
 * repeated later with the same key, if it has one.
 */
public final class Load implements AutoCloseable {

  private static final int REMEMBERED = 20;

  /** How often each type is started; the poisons are started by hand. */
  private static final List<String> TYPES =
      List.of(
          "chain", "chain", "chain", "slow", "flaky", "deaf", "signal", "timer", "timer", "family");

  /** A call to be made again. */
  private record Call(String op, String key, String type, long id) {}

  private final WorkflowClient client;
  private final JournalClient journal;
  private final Random random;
  private final String prefix;

  /** The last started ones, which may still be under way, and those that wait for a signal. */
  private final Deque<Started> recent = new ArrayDeque<>();

  private final Deque<Started> waiting = new ArrayDeque<>();

  private final List<Call> again = new ArrayList<>();
  private long calls;
  private volatile boolean stopped;
  private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

  public Load(WorkflowClient client, JournalClient journal, long seed) {
    this.client = client;
    this.journal = journal;
    this.random = new Random(seed);
    this.prefix = ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + "-";
  }

  /**
   * Begins to call, on a thread of its own.
   *
   * @param perSecond calls per second
   * @param steers true to signal, cancel and pause as well
   */
  public void run(double perSecond, boolean steers) {
    long pauseNanos = (long) (1e9 / perSecond);
    ended =
        CompletableFuture.runAsync(
            () -> {
              while (!stopped) {
                one(steers);
                rest(pauseNanos);
              }
            },
            action -> Thread.ofPlatform().daemon().name("load").start(action));
  }

  private static void rest(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void one(boolean steers) {
    int dice = random.nextInt(100);
    if (!again.isEmpty() && dice < 20) {
      make(again.removeFirst());
    } else if (!steers || dice < 75 || recent.isEmpty()) {
      start(TYPES.get(random.nextInt(TYPES.size())));
    } else {
      steer();
    }
  }

  /** Starts one instance now. */
  public void start(String type) {
    make(new Call("start", prefix + ++calls, type, 0));
  }

  private void steer() {
    int dice = random.nextInt(100);
    String op = dice < 60 ? "signal" : dice < 75 ? "cancel" : dice < 95 ? "pause" : "wake";
    List<Started> known = List.copyOf(op.equals("signal") && !waiting.isEmpty() ? waiting : recent);
    long id = known.get(random.nextInt(known.size())).id();
    make(new Call(op, prefix + ++calls, "", id));
    if (op.equals("pause")) {
      again.add(new Call("resume", prefix + ++calls, "", id));
    }
  }

  private void make(Call call) {
    Map<String, Object> line = new HashMap<>();
    line.put("op", call.op);
    line.put("key", call.key);
    line.put("type", call.type);
    line.put("id", call.id);
    journal.record("INVOKE", line);
    try {
      Started started = send(call);
      line.put("id", started.id());
      line.put("created", started.created());
      journal.record("OK", line);
    } catch (StoreException e) {
      line.put("error", e.toString());
      journal.record("UNKNOWN", line);
      again.add(call);
    } catch (MillraceException e) {
      line.put("error", e.toString());
      journal.record("FAIL", line);
    } catch (RuntimeException e) {
      // Nothing that a client may expect: the checker reports it.
      line.put("error", e.toString());
      journal.record("UNKNOWN", line);
    }
  }

  private Started send(Call call) {
    Deed deed = Deed.by("load", call.key);
    return switch (call.op) {
      case "start" -> {
        Started started = client.start(StartRequest.of(call.type).externalId(call.key));
        remember(recent, started);
        if (call.type.equals("signal")) {
          remember(waiting, started);
        }
        yield started;
      }
      case "signal" -> done(call, () -> client.signal(call.id, "go", null, "load", call.key));
      case "cancel" -> done(call, () -> client.cancel(call.id, deed));
      case "pause" -> done(call, () -> client.pause(call.id, deed));
      case "resume" -> done(call, () -> client.resume(call.id, deed));
      case "wake" -> done(call, () -> client.wake(call.id, deed));
      default -> throw new IllegalStateException("There is no call " + call.op);
    };
  }

  private static Started done(Call call, Runnable deed) {
    deed.run();
    return new Started(call.id, false);
  }

  private static void remember(Deque<Started> last, Started started) {
    last.addLast(started);
    if (last.size() > REMEMBERED) {
      last.removeFirst();
    }
  }

  /** Makes every call again that is still open; at most {@code tries} times each. */
  public void settle(int tries) {
    for (int i = 0; i < tries && !again.isEmpty(); i++) {
      List<Call> open = List.copyOf(again);
      again.clear();
      open.forEach(this::make);
    }
  }

  /** Ends the calls. */
  @Override
  public void close() {
    stopped = true;
    ended.join();
  }
}
