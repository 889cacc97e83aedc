package io.millrace.server.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The last frames, of which every stream reads at its own pace. Thread-safe. */
final class FrameRingBuffer {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final EventFrame[] frames;

  /** How many frames there ever were; the frame {@code n} is at {@code n % frames.length}. */
  private long end;

  private long begin;
  private boolean closed;
  private long wakes;

  FrameRingBuffer(int size) {
    frames = new EventFrame[size];
  }

  void add(EventFrame eventFrame) {
    lock.lock();
    try {
      frames[(int) (end % frames.length)] = eventFrame;
      end++;
      begin = Math.max(begin, end - frames.length);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all frames; streams that have not read them are behind. */
  void clear() {
    lock.lock();
    try {
      begin = end;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all streams. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the wait of all streams, so that each checks its credentials again. */
  void wake() {
    lock.lock();
    try {
      wakes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how often {@link #wake} was called; a stream compares it with the number it knew. */
  long wakes() {
    lock.lock();
    try {
      return wakes;
    } finally {
      lock.unlock();
    }
  }

  long end() {
    lock.lock();
    try {
      return end;
    } finally {
      lock.unlock();
    }
  }

  /** The frames after change {@code id}; null when some of them are not kept here. */
  @Nullable List<EventFrame> after(long id) {
    lock.lock();
    try {
      if (begin == end || frames[(int) (begin % frames.length)].firstId() > id + 1) {
        return null;
      }
      List<EventFrame> later = new ArrayList<>();
      for (long n = begin; n < end; n++) {
        EventFrame eventFrame = frames[(int) (n % frames.length)];
        if (eventFrame.lastId() > id) {
          later.add(eventFrame);
        }
      }
      return later;
    } finally {
      lock.unlock();
    }
  }

  /** What came of waiting. */
  sealed interface ReadResult {
    record Ready(EventFrame frame) implements ReadResult {}

    /** Nothing came within the time, or before all were woken. */
    record Quiet() implements ReadResult {}

    /** The reader is too far behind, or all streams end. */
    record Over() implements ReadResult {}
  }

  /**
   * Waits for frame number {@code n}, at most for {@code patience}.
   *
   * @param seen {@link #wakes} as the caller knows them; does not wait if there are more
   */
  ReadResult await(long n, Duration patience, long seen) throws InterruptedException {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (!closed && n >= end) {
        if (left <= 0 || wakes != seen) {
          return new ReadResult.Quiet();
        }
        left = changed.awaitNanos(left);
      }
      return closed || n < begin
          ? new ReadResult.Over()
          : new ReadResult.Ready(frames[(int) (n % frames.length)]);
    } finally {
      lock.unlock();
    }
  }
}
