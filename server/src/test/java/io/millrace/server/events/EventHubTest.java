package io.millrace.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import io.millrace.server.Patience;
import io.millrace.server.security.Role;
import io.millrace.store.Store;
import io.millrace.testing.MemoryStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the streams of events: their duration, their end, and their independence of each other. */
final class EventHubTest {

  private final AtomicLong passed = new AtomicLong();
  private final Store store = new MemoryStore(InstantSource.system());
  private final EngineRuntime system = EngineRuntime.system();
  private final EngineRuntime runtime =
      new EngineRuntime(clock(), new QuickRunner(system.runner()), system.random());
  private final ChangeFeed feed = new ChangeFeed();
  private final EventHub hub = hub(feed, "test", () -> {});

  private EventHub hub(ChangeFeed feed, String node, Runnable forget) {
    return new EventHub(store.changes(), feed, runtime, node, 2, forget);
  }

  /** Returns a clock whose monotonic time advances when the test says so. */
  private EngineClock clock() {
    return new EngineClock() {
      @Override
      public long nanoTime() {
        return passed.get();
      }

      @Override
      public Instant instant() {
        return Instant.EPOCH;
      }
    };
  }

  @AfterEach
  void stop() {
    hub.close();
  }

  @Test
  void whoMayNoLongerReadIsLetGoThoughThereIsAlwaysSomethingToTell() throws Exception {
    AtomicBoolean allowed = new AtomicBoolean(true);
    Reader reader = new Reader();
    Thread stream = listen(reader, allowed::get);
    allowed.set(false);
    feed.instanceChanged(1);
    reader.awaitText("\"instances\":[1]");
    // With the next heartbeat and the seconds for which a caller is remembered: 15.
    passed.addAndGet(Duration.ofSeconds(10).toNanos());
    feed.instanceChanged(2);
    Patience.join(stream);
    assertThat(hub.streams()).isZero();
  }

  @Test
  void whoMayNoLongerReadWhenTheStreamBeginsIsToldNothing() throws Exception {
    Reader reader = new Reader();
    place(hub).send(reader, null, reader.role, () -> false);

    assertThat(reader.seen).isEmpty();
    assertThat(hub.streams()).isZero();
  }

  /** No time passes here, so that only the end of credentials triggers a check. */
  @Test
  void whoseCredentialsEndedIsLetGoAtOnce() throws Exception {
    AtomicBoolean allowed = new AtomicBoolean(true);
    Reader reader = new Reader();
    Reader other = new Reader();
    Thread stream = listen(reader, allowed::get);
    Thread stays = listen(other, () -> true);
    allowed.set(false);
    hub.credentialsEnded();
    Patience.join(stream);
    feed.instanceChanged(1);
    other.awaitText("\"instances\":[1]");
    assertThat(stays.isAlive()).isTrue();
    assertThat(String.join("", other.seen)).doesNotContain("credentials");
  }

  @Test
  void otherNodesLookAgainWhenCredentialsEnd() throws Exception {
    AtomicBoolean allowed = new AtomicBoolean(true);
    ChangeFeed otherFeed = new ChangeFeed();
    // A cached caller on this node would let the stream continue.
    try (EventHub other = hub(otherFeed, "other", () -> {});
        EventHub node = hub(feed, "node", () -> allowed.set(false))) {
      Reader reader = new Reader();
      Thread stream = listen(node, reader, allowed::get);
      other.credentialsEnded();
      Patience.join(stream);
      assertThat(node.streams()).isZero();
    }
  }

  @Test
  void aStreamWithoutChangesShowsThatTheServerIsAlive() throws Exception {
    Duration heartbeat = Duration.ofMillis(20);
    try (EventHub quiet =
        new EventHub(store.changes(), feed, runtime, "quiet", 2, () -> {}, heartbeat)) {
      Reader reader = new Reader();
      listen(quiet, reader, () -> true);
      reader.awaitText("event: heartbeat");
    }
  }

  @Test
  void aReaderThatTakesNothingStopsNobodyElse() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Reader slow = new Reader(goOn);
    Reader quick = new Reader();
    Thread blocked = listen(slow, () -> true);
    listen(quick, () -> true);
    for (long id = 1; id <= 4; id++) {
      feed.instanceChanged(id);
      quick.awaitText("\"instances\":[" + id + "]");
    }
    assertThat(blocked.isAlive()).isTrue();
    goOn.countDown();
    slow.awaitText("\"instances\":[4]");
  }

  @Test
  void placesAreLimitedAndFreeAgainWhenAStreamEnds() {
    EventHub.OpenStream first = place();
    place();
    assertThat(hub.openStream()).isNull();
    first.close();
    first.close();
    assertThat(hub.streams()).isEqualTo(1);
    assertThat(hub.openStream()).isNotNull();
  }

  @Test
  void oneReaderHasAShareOnly() {
    EventHub.OpenStream first = hub.openStream("key:ci");
    assertThat(first).isNotNull();
    assertThat(hub.openStream("key:ci")).isNull();
    assertThat(hub.hasCapacity()).isTrue();
    first.close();
    assertThat(hub.openStream("key:ci")).isNotNull();
    assertThat(hub.openStream("anna")).isNotNull();
  }

  @Test
  void aReaderWhoseConnectionBreaksLeavesItsPlace() throws Exception {
    Reader reader = new Reader();
    Thread stream = listen(reader, () -> true);
    feed.instanceChanged(1);
    reader.awaitText("\"instances\":[1]");
    reader.broken = true;
    feed.instanceChanged(2);
    Patience.join(stream);
    assertThat(hub.streams()).isZero();
  }

  @Test
  void instancesThatARoleMayNotReadAreNotNamedToIt() throws Exception {
    Reader admin = new Reader(Role.ADMIN);
    Reader viewer = new Reader(Role.VIEWER);
    listen(admin, () -> true);
    listen(viewer, () -> true);
    feed.instanceChanged(7, "millrace-subscription");
    admin.awaitText("\"instances\":[7],\"types\":[\"millrace-subscription\"]");
    feed.instanceChanged(8, "order");
    viewer.awaitText("\"instances\":[8],\"types\":[\"order\"]");
    assertThat(String.join("", viewer.seen))
        .contains("event: change")
        .doesNotContain("millrace-subscription", "[7", "7]");
  }

  private EventHub.OpenStream place() {
    return place(hub);
  }

  private static EventHub.OpenStream place(EventHub hub) {
    EventHub.OpenStream openStream = hub.openStream();
    assertThat(openStream).isNotNull();
    return openStream;
  }

  /** Starts a stream and returns once it has started, so that it receives all later events. */
  private Thread listen(Reader reader, BooleanSupplier allowed) throws InterruptedException {
    return listen(hub, reader, allowed);
  }

  private static Thread listen(EventHub hub, Reader reader, BooleanSupplier allowed)
      throws InterruptedException {
    EventHub.OpenStream openStream = place(hub);
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                openStream.send(reader, null, reader.role, allowed);
              } catch (IOException e) {
                reader.texts.add("broken");
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Patience.await(reader.begun);
    return thread;
  }

  /** The reader at the end of a connection. */
  private static final class Reader extends OutputStream {

    private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn;
    private final Role role;
    private volatile boolean broken;

    Reader() {
      this(new CountDownLatch(0));
    }

    Reader(Role role) {
      this(new CountDownLatch(0), role);
    }

    /**
     * @param goOn blocks all writes until it is counted down
     */
    Reader(CountDownLatch goOn) {
      this(goOn, Role.ADMIN);
    }

    private Reader(CountDownLatch goOn, Role role) {
      this.goOn = goOn;
      this.role = role;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      begun.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (broken) {
        throw new IOException("Broken pipe");
      }
      String text = new String(bytes, from, length, StandardCharsets.UTF_8);
      seen.add(text);
      texts.add(text);
    }

    @Override
    public void write(int one) {
      throw new UnsupportedOperationException();
    }

    void awaitText(String wanted) throws InterruptedException {
      String text = "";
      while (!text.contains(wanted)) {
        text = texts.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(text).as("no event with " + wanted).isNotNull();
      }
    }
  }

  /** A runner whose loops pause for a hundredth of the time. */
  private record QuickRunner(Runner runner) implements Runner {

    @Override
    public Loop loop(String name, Loop.Work work) {
      return runner.loop(name, () -> work.tick().dividedBy(100));
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      return runner.run(name, task);
    }

    @Override
    public Waiter waiter() {
      return runner.waiter();
    }
  }
}
