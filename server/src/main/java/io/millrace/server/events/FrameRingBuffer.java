package io.millrace.server.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The last frames, which every stream reads at its own pace. Thread-safe. */
final class FrameRingBuffer {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final EventFrame[] frames;

  /** The number of frames ever added; the frame {@code n} is at {@code n % frames.length}. */
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

  /** Removes all frames; streams that have not read them are then behind. */
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

  /** Wakes all waiting streams, so that each checks its credentials again. */
  void wake() {
    lock.lock();
    try {
      wakes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the number of calls of {@link #wake}; a stream compares it with the last number that it
   * saw.
   */
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

  /** Returns the frames after change {@code id}; null if some of them are no longer buffered. */
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

  /** The result of waiting for a frame. */
  sealed interface ReadResult {
    record Ready(EventFrame frame) implements ReadResult {}

    /** No frame came within the time, or all streams were woken. */
    record Quiet() implements ReadResult {}

    /** The reader is too far behind, or all streams have ended. */
    record Over() implements ReadResult {}
  }

  /**
   * Waits for frame number {@code n}, at most for {@code patience}.
   *
   * @param seen last value of {@link #wakes} that the caller saw; does not wait if it has changed
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
