package io.millrace.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Messages that are sent together; the first outcome recorded for each counts. Thread-safe. */
final class PublishBatch {

  private static final String SAFE = "";

  private final List<OutgoingMessage> parcels;
  private final AtomicReferenceArray<@Nullable String> answers;
  private final CountDownLatch open;

  PublishBatch(List<OutgoingMessage> parcels) {
    this.parcels = List.copyOf(parcels);
    this.answers = new AtomicReferenceArray<>(parcels.size());
    this.open = new CountDownLatch(parcels.size());
  }

  int size() {
    return parcels.size();
  }

  OutgoingMessage parcel(int index) {
    return parcels.get(index);
  }

  boolean isOpen(int index) {
    return answers.get(index) == null;
  }

  void confirm(int index) {
    answer(index, SAFE);
  }

  void fail(int index, String reason) {
    answer(index, reason);
  }

  void failOpen(String reason) {
    for (int i = 0; i < size(); i++) {
      fail(i, reason);
    }
  }

  private void answer(int index, String text) {
    if (answers.compareAndSet(index, null, text)) {
      open.countDown();
    }
  }

  /** Waits until all outcomes are known; returns false when the time was too short. */
  boolean await(Duration limit) throws InterruptedException {
    return open.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Returns for each message null when it is safe, or else the reason; all outcomes must be known.
   */
  List<@Nullable String> answers() {
    List<@Nullable String> all = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      String answer = answers.get(i);
      all.add(SAFE.equals(answer) ? null : answer);
    }
    return all;
  }
}
