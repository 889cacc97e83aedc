package io.millrace.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PooledTaskTest {

  private final Runner runner = new ThreadRunner();
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

  @Tag("races")
  @Test
  void runsWhileVirtualThreadsOccupyAllProcessors() throws InterruptedException {
    AtomicBoolean release = new AtomicBoolean();
    int processors = Runtime.getRuntime().availableProcessors();
    CountDownLatch spinning = new CountDownLatch(processors);
    List<RunningTask> spinners = new ArrayList<>();
    try {
      for (int i = 0; i < processors; i++) {
        spinners.add(
            runner.run(
                "spinning",
                () -> {
                  spinning.countDown();
                  while (!release.get()) {
                    Thread.onSpinWait();
                  }
                }));
      }
      Patience.await(spinning);
      runner.runOnPool("quick", () -> done.add(Thread.currentThread().getName()));
      assertThat(Patience.take(done)).isEqualTo("quick");
    } finally {
      release.set(true);
    }
    assertThat(spinners).hasSize(processors);
  }

  @Test
  void anInterruptReachesTheTaskAndNoLaterOne() throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    RunningTask waiting =
        runner.runOnPool(
            "waiting",
            () -> {
              began.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                done.add("interrupted");
              }
            });
    Patience.await(began);
    assertThat(waiting.stackTrace()).isNotEmpty();
    waiting.interrupt();
    assertThat(Patience.take(done)).isEqualTo("interrupted");

    for (int i = 0; i < 100; i++) {
      waiting.interrupt();
      runner.runOnPool("later", () -> done.add("later " + Thread.currentThread().isInterrupted()));
      assertThat(Patience.take(done)).isEqualTo("later false");
    }
  }
}
