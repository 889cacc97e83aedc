package io.millrace.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Patience;
import io.millrace.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pool follows the rules of the four settings. */
class BoundedThreadPoolTest {

  private static final Duration LONG = Duration.ofMinutes(20);

  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Future<String>> work = new ArrayList<>();
  private BoundedThreadPool pool;

  @AfterEach
  void close() {
    end.countDown();
    pool.close();
  }

  @Test
  void workBeyondTheCoreWaitsInTheQueue() throws Exception {
    pool = new BoundedThreadPool("chunk", new BoundedThreadPool.Size(5, 20, LONG, 10));
    submitBlocking(5);
    work.add(pool.submit(() -> Thread.currentThread().getName()));

    assertThat(pool.active()).isEqualTo(5);
    assertThat(pool.waiting()).isEqualTo(1);

    end.countDown();
    assertThat(names()).contains("chunk-1", "chunk-5").doesNotContain("chunk-6");
  }

  @Test
  void aFullQueueMakesThreadsUpToTheMaximum() throws Exception {
    pool = new BoundedThreadPool("chunk", new BoundedThreadPool.Size(2, 4, LONG, 3));
    submitBlocking(2);
    submit(3);
    submitBlocking(2);

    assertThat(pool.active()).isEqualTo(4);
    assertThat(pool.waiting()).isEqualTo(3);

    CompletableFuture<String> ran = new CompletableFuture<>();
    FutureTask<Future<Boolean>> bring =
        new FutureTask<>(() -> pool.submit(() -> ran.complete(Thread.currentThread().getName())));
    Thread bringer = Thread.ofPlatform().start(bring);
    untilItWaits(bringer);
    assertThat(ran).isNotDone();
    end.countDown();
    assertThat(ran.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).startsWith("chunk-");
    assertThat(names()).hasSize(7);
  }

  @Test
  void withoutAQueueTheCallerWaits() throws Exception {
    pool = new BoundedThreadPool("chunk", new BoundedThreadPool.Size(0, 1, LONG, 0));
    submitBlocking(1);

    FutureTask<String> bring =
        new FutureTask<>(() -> pool.submit(() -> Thread.currentThread().getName()).get());
    Thread bringer = Thread.ofPlatform().start(bring);
    untilItWaits(bringer);
    assertThat(pool.waiting()).isZero();
    end.countDown();
    assertThat(bring.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("chunk-1");
  }

  @Test
  void aThreadBeyondTheCoreEndsAfterItsRest() throws Exception {
    pool =
        new BoundedThreadPool("chunk", new BoundedThreadPool.Size(0, 1, Duration.ofMillis(1), 0));
    Future<Thread> first = pool.submit(Thread::currentThread);

    assertThat(first.get().join(Patience.LIMIT)).isTrue();
    assertThat(
            pool.submit(() -> Thread.currentThread().getName())
                .get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo("chunk-2");
  }

  @Test
  void aHugeQueueCostsNothing() throws Exception {
    pool =
        new BoundedThreadPool("chunk", new BoundedThreadPool.Size(1, 1, LONG, Integer.MAX_VALUE));

    assertThat(pool.submit(() -> "done").get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo("done");
  }

  @Test
  void aClosedPoolTakesNothing() {
    pool = new BoundedThreadPool("chunk", new BoundedThreadPool.Size(1, 1, LONG, 1));
    submitBlocking(1);
    submit(1);
    pool.close();

    assertThat(work.getLast().isCancelled()).isTrue();
    assertThatThrownBy(() -> pool.submit(() -> "late"))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void sizesThatDoNotFitAreNamed() {
    pool = new BoundedThreadPool("chunk", new BoundedThreadPool.Size(1, 1, LONG, 1));
    assertWrong(() -> new BoundedThreadPool.Size(-1, 1, LONG, 1), "corePoolSize is -1");
    assertWrong(() -> new BoundedThreadPool.Size(5, 4, LONG, 1), "maximumPoolSize is 4");
    assertWrong(() -> new BoundedThreadPool.Size(0, 0, LONG, 1), "maximumPoolSize is 0");
    assertWrong(
        () -> new BoundedThreadPool.Size(1, 1, LONG.negated(), 1), "keepAliveTime is PT-20M");
    assertWrong(
        () -> new BoundedThreadPool.Size(1, 1, Duration.ofDays(366), 1),
        "keepAliveTime is PT8784H");
    assertWrong(() -> new BoundedThreadPool.Size(1, 1, LONG, -1), "waitingQueueSize is -1");
  }

  private static void assertWrong(ThrowingCallable size, String text) {
    assertThatThrownBy(size)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  private static void untilItWaits(Thread bringer) throws InterruptedException {
    Polling.until("it waits for a place", () -> bringer.getState() == Thread.State.TIMED_WAITING);
  }

  private void submit(int count) {
    for (int i = 0; i < count; i++) {
      work.add(pool.submit(() -> Thread.currentThread().getName()));
    }
  }

  /** Submits work that has started and blocks until the end. */
  private void submitBlocking(int count) {
    CountDownLatch begun = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      work.add(
          pool.submit(() -> {
            begun.countDown();
            assertThat(end.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return Thread.currentThread().getName();
          }));
    }
    try {
      assertThat(begun.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> names() throws Exception {
    List<String> names = new ArrayList<>();
    for (Future<String> one : work) {
      names.add(one.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }
    return names;
  }
}
