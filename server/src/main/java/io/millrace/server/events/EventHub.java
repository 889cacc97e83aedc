package io.millrace.server.events;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.server.security.Role;
import io.millrace.store.ChangeStore;
import io.millrace.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hub of all event streams of this node. It writes the changes of this node into the journal,
 * and sends the changes in the journal to all streams. The journal is read once for all streams.
 * Thread-safe.
 */
public final class EventHub implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventHub.class);

  /** Interval between two events, which limits them to four a second. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PRUNE_EVERY = Duration.ofMinutes(1);
  private static final Duration KEPT = Duration.ofMinutes(10);

  /**
   * Interval between heartbeats; a page that receives none for two intervals shows the server as
   * stopped.
   */
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);

  /**
   * Interval between checks of the reader's credentials. An expired one ends its streams within 15
   * seconds: the next heartbeat finds it, and callers are cached for three seconds.
   */
  private static final Duration CHECK_EVERY = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int BATCH = 500;
  private static final int FRAMES = 240;
  private static final int SHARES = 10;

  private final ChangeStore journal;
  private final ChangeFeed feed;
  private final EngineClock clock;
  private final String node;
  private final int maxStreams;
  private final Runnable forget;
  private final Duration heartbeat;
  private final FrameRingBuffer frameRingBuffer = new FrameRingBuffer(FRAMES);
  private final AtomicInteger streams = new AtomicInteger();

  /** The number of open streams of each reader. */
  private final Map<String, Integer> readers = new ConcurrentHashMap<>();

  private final Loop writer;
  private final Loop reader;
  private final Loop pruner;

  /** The id of the last change in the ring buffer. */
  private volatile long position;

  private boolean reading;

  /**
   * @param node name of this process in the journal, at most 100 characters
   * @param maxStreams upper limit of the open streams
   * @param forget called when the journal shows that credentials have ended, here or on another
   *     node, before the streams check theirs
   */
  public EventHub(
      ChangeStore journal,
      ChangeFeed feed,
      EngineRuntime runtime,
      String node,
      int maxStreams,
      Runnable forget) {
    this(journal, feed, runtime, node, maxStreams, forget, HEARTBEAT);
  }

  EventHub(
      ChangeStore journal,
      ChangeFeed feed,
      EngineRuntime runtime,
      String node,
      int maxStreams,
      Runnable forget,
      Duration heartbeat) {
    this.journal = journal;
    this.feed = feed;
    this.clock = runtime.clock();
    this.node = node;
    this.maxStreams = maxStreams;
    this.forget = forget;
    this.heartbeat = heartbeat;
    Runner runner = runtime.runner();
    this.reader = runner.loop("millrace-events-read", this::read);
    this.writer = runner.loop("millrace-events-write", this::write);
    this.pruner = runner.loop("millrace-events-prune", this::prune);
  }

  private Duration write() {
    ChangeSummary changeSummary = feed.changes().drain();
    if (changeSummary == null) {
      return POLL_INTERVAL;
    }
    try {
      journal.append(node, EventFrame.json(changeSummary));
      reader.wake();
    } catch (StoreException e) {
      feed.changes().addAll(changeSummary);
      LOG.debug("The journal of changes could not be written", e);
    }
    return POLL_INTERVAL;
  }

  private Duration prune() {
    try {
      while (journal.prune(KEPT, BATCH) == BATCH) {
        LOG.debug("Pruned {} changes", BATCH);
      }
    } catch (StoreException e) {
      LOG.debug("The journal of changes could not be pruned", e);
    }
    return PRUNE_EVERY;
  }

  private Duration read() {
    if (!watched()) {
      return Loop.UNTIL_WOKEN;
    }
    try {
      return next();
    } catch (StoreException e) {
      LOG.debug("The journal of changes could not be read", e);
      return POLL;
    }
  }

  private synchronized boolean watched() {
    reading = streams.get() > 0;
    return reading;
  }

  /** Starts to read from the current position, before the first stream learns that position. */
  private synchronized void watch() {
    if (!reading) {
      frameRingBuffer.clear();
      position = journal.newest();
      reading = true;
      reader.wake();
    }
  }

  private Duration next() {
    List<ChangeStore.Change> rows = journal.after(position, BATCH);
    if (rows.isEmpty()) {
      return POLL;
    }
    ChangeSummary changeSummary = summary(rows);
    if (changeSummary.credentials()) {
      forget.run();
      frameRingBuffer.wake();
    }
    frameRingBuffer.add(frame(rows, changeSummary));
    position = rows.getLast().id();
    return POLL_INTERVAL;
  }

  private static ChangeSummary summary(List<ChangeStore.Change> rows) {
    ChangeSet all = new ChangeSet();
    rows.forEach(row -> all.addAll(EventFrame.change(row.payload())));
    ChangeSummary changeSummary = all.drain();
    return changeSummary == null ? ChangeSummary.NONE : changeSummary;
  }

  private static EventFrame frame(List<ChangeStore.Change> rows, ChangeSummary changeSummary) {
    return EventFrame.of(rows.getFirst().id(), rows.getLast().id(), changeSummary);
  }

  /** Ends the streams whose callers may no longer read: at once on this node, soon on others. */
  public void credentialsEnded() {
    frameRingBuffer.wake();
    feed.credentialsEnded();
  }

  /**
   * Opens a stream.
   *
   * @return null if the limit of streams is reached
   * @throws StoreException if the database does not answer
   */
  public @Nullable OpenStream openStream() {
    return openStream(null);
  }

  /**
   * Opens a stream as {@link #openStream()} does, for a reader that may have at most a tenth of all
   * streams.
   *
   * @param reader null for a reader without a limit of its own
   */
  public @Nullable OpenStream openStream(@Nullable String reader) {
    if (streams.incrementAndGet() > maxStreams) {
      streams.decrementAndGet();
      return null;
    }
    OpenStream openStream = new OpenStream(reader);
    if (reader != null
        && readers.merge(reader, 1, Integer::sum) > Math.max(1, maxStreams / SHARES)) {
      openStream.close();
      return null;
    }
    try {
      watch();
      return openStream;
    } catch (StoreException e) {
      openStream.close();
      throw e;
    }
  }

  /** True if a reader is rejected only because of its own limit. */
  public boolean hasCapacity() {
    return streams.get() < maxStreams;
  }

  /** Returns the upper limit of the open streams. */
  public int maxStreams() {
    return maxStreams;
  }

  /** Returns the number of open streams. */
  public int streams() {
    return streams.get();
  }

  /** An open stream. {@link #send} closes it, or its owner does. */
  public final class OpenStream implements AutoCloseable {

    private final @Nullable String reader;
    private boolean left;

    private OpenStream(@Nullable String reader) {
      this.reader = reader;
    }

    /**
     * Sends events until the reader disconnects, falls too far behind, may no longer read, or the
     * server stops.
     *
     * @param since id of the last event that the reader has; null for a new reader
     * @param role of the reader
     * @param allowed returns true while the reader may read; called after credentials have ended,
     *     and every 10 seconds, however many events there are
     */
    public void send(OutputStream out, @Nullable Long since, Role role, BooleanSupplier allowed)
        throws IOException, InterruptedException {
      try (this) {
        EventHub.this.send(out, since, role, allowed);
      }
    }

    @Override
    public void close() {
      if (!left) {
        left = true;
        if (reader != null) {
          readers.computeIfPresent(reader, (name, open) -> open > 1 ? open - 1 : null);
        }
        streams.decrementAndGet();
      }
    }
  }

  private void send(OutputStream out, @Nullable Long since, Role role, BooleanSupplier allowed)
      throws IOException, InterruptedException {
    long next = frameRingBuffer.end();
    long wakes = frameRingBuffer.wakes();
    if (!allowed.getAsBoolean()) {
      return; // the stream was ended after it was opened
    }
    begin(out, since, role);
    long asked = clock.nanoTime();
    while (true) {
      FrameRingBuffer.ReadResult readResult = frameRingBuffer.await(next, heartbeat, wakes);
      long woken = frameRingBuffer.wakes();
      if (woken != wakes || clock.nanoTime() - asked >= CHECK_EVERY.toNanos()) {
        wakes = woken;
        asked = clock.nanoTime();
        if (!allowed.getAsBoolean()) {
          return;
        }
      }
      switch (readResult) {
        case FrameRingBuffer.ReadResult.Ready ready -> {
          ready.frame().writeTo(out, role);
          next++;
        }
        case FrameRingBuffer.ReadResult.Quiet quiet -> out.write(EventFrame.heartbeat());
        case FrameRingBuffer.ReadResult.Over over -> {
          return;
        }
      }
      out.flush();
    }
  }

  /** Sends the events that the reader has missed, or a reset if they are no longer available. */
  private void begin(OutputStream out, @Nullable Long since, Role role) throws IOException {
    long newest = journal.newest();
    out.write(EventFrame.hello(since == null ? newest : Math.min(since, newest)));
    if (since != null && since != newest) {
      List<EventFrame> missed = frameRingBuffer.after(since);
      if (missed != null && since < newest) {
        for (EventFrame eventFrame : missed) {
          eventFrame.writeTo(out, role);
        }
      } else {
        replay(out, since, newest, role);
      }
    }
    out.flush();
  }

  private void replay(OutputStream out, long since, long newest, Role role) throws IOException {
    List<ChangeStore.Change> rows = since > newest ? List.of() : journal.after(since, BATCH);
    boolean whole = !rows.isEmpty() && rows.getFirst().id() == since + 1 && rows.size() < BATCH;
    if (whole) {
      frame(rows, summary(rows)).writeTo(out, role);
    } else {
      out.write(EventFrame.reset(newest));
    }
  }

  /** Ends all streams and writes the remaining changes to the journal. */
  @Override
  public void close() {
    frameRingBuffer.close();
    writer.stop(PATIENCE);
    reader.stop(PATIENCE);
    pruner.stop(PATIENCE);
    write();
  }
}
