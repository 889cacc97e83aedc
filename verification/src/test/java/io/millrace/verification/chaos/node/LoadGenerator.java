package io.millrace.verification.chaos.node;

import io.millrace.WorkflowClient;
import io.millrace.instance.MillraceException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
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
 * A client that starts, signals, cancels, pauses and resumes instances, and records its calls and
 * their answers in the journal. A call whose outcome is unknown is repeated later with the same
 * key, if it has one.
 */
public final class LoadGenerator implements AutoCloseable {

  private static final int REMEMBERED = 20;

  /** Types to start, repeated by frequency; the run starts the poison types explicitly. */
  private static final List<String> TYPES =
      List.of(
          "chain", "chain", "chain", "slow", "flaky", "deaf", "signal", "timer", "timer", "family");

  /** A call to repeat. */
  private record Call(String op, String key, String type, long id) {}

  private final WorkflowClient client;
  private final JournalClient journal;
  private final Random random;
  private final String prefix;

  /**
   * Most recently started instances, which may not have ended, and those that wait for a signal.
   */
  private final Deque<StartedInstance> recent = new ArrayDeque<>();

  private final Deque<StartedInstance> waiting = new ArrayDeque<>();

  private final List<Call> again = new ArrayList<>();
  private long calls;
  private volatile boolean stopped;
  private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

  public LoadGenerator(WorkflowClient client, JournalClient journal, long seed) {
    this.client = client;
    this.journal = journal;
    this.random = new Random(seed);
    this.prefix = ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + "-";
  }

  /**
   * Starts to make calls on a thread of its own.
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
    List<StartedInstance> known =
        List.copyOf(op.equals("signal") && !waiting.isEmpty() ? waiting : recent);
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
      StartedInstance startedInstance = send(call);
      line.put("id", startedInstance.id());
      line.put("created", startedInstance.created());
      journal.record("OK", line);
    } catch (StoreException e) {
      line.put("error", e.toString());
      journal.record("UNKNOWN", line);
      again.add(call);
    } catch (MillraceException e) {
      line.put("error", e.toString());
      journal.record("FAIL", line);
    } catch (RuntimeException e) {
      // Not an error that a client may expect: the checker reports it.
      line.put("error", e.toString());
      journal.record("UNKNOWN", line);
    }
  }

  private StartedInstance send(Call call) {
    OperatorAction action = OperatorAction.by("load", call.key);
    return switch (call.op) {
      case "start" -> {
        StartedInstance startedInstance =
            client.start(StartRequest.of(call.type).externalId(call.key));
        remember(recent, startedInstance);
        if (call.type.equals("signal")) {
          remember(waiting, startedInstance);
        }
        yield startedInstance;
      }
      case "signal" -> done(call, () -> client.signal(call.id, "go", null, "load", call.key));
      case "cancel" -> done(call, () -> client.cancel(call.id, action));
      case "pause" -> done(call, () -> client.pause(call.id, action));
      case "resume" -> done(call, () -> client.resume(call.id, action));
      case "wake" -> done(call, () -> client.wake(call.id, action));
      default -> throw new IllegalStateException("There is no call " + call.op);
    };
  }

  private static StartedInstance done(Call call, Runnable action) {
    action.run();
    return new StartedInstance(call.id, false);
  }

  private static void remember(Deque<StartedInstance> last, StartedInstance startedInstance) {
    last.addLast(startedInstance);
    if (last.size() > REMEMBERED) {
      last.removeFirst();
    }
  }

  /** Repeats every open call, at most {@code tries} times each. */
  public void retryOpenCalls(int tries) {
    for (int i = 0; i < tries && !again.isEmpty(); i++) {
      List<Call> open = List.copyOf(again);
      again.clear();
      open.forEach(this::make);
    }
  }

  /** Stops the calls. */
  @Override
  public void close() {
    stopped = true;
    ended.join();
  }
}
