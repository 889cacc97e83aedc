package io.millrace.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Patience;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ThreadRunnerTest {

  /** An error that cannot even be logged. */
  private static final class UnprintableError extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("planted");
    }
  }

  private final ThreadRunner runner = new ThreadRunner();

  @Test
  void aLoopSurvivesErrorsThatCannotBeLogged() throws Exception {
    CountDownLatch rounds = new CountDownLatch(4);
    Loop loop =
        runner.loop(
            "test-unprintable",
            () -> {
              rounds.countDown();
              throw new UnprintableError();
            });
    assertThat(rounds.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(loop.stop(Patience.LIMIT)).isTrue();
    assertThat(LoopSupervisor.failures())
        .filteredOn(failure -> failure.loop().equals("test-unprintable"))
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.times()).isGreaterThanOrEqualTo(3);
          assertThat(failure.fault()).isEqualTo(UnprintableError.class.getName());
        });
  }

  @Test
  void aLoopThatFailedIsWokenAgain() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch well = new CountDownLatch(1);
    Loop loop =
        runner.loop(
            "test-once",
            () -> {
              if (rounds.incrementAndGet() == 1) {
                throw new LinkageError("planted");
              }
              if (rounds.get() == 3) {
                well.countDown();
              }
              return rounds.get() == 2 ? Duration.ZERO : Loop.UNTIL_WOKEN;
            });
    assertThat(well.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(loop.stop(Patience.LIMIT)).isTrue();
  }

  @Test
  void aDaemonIsRestartedUntilItReturns() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    Thread daemon =
        LoopSupervisor.daemon(
            "test-daemon",
            () -> {
              if (starts.incrementAndGet() < 3) {
                throw new NoClassDefFoundError("planted");
              }
            });
    assertThat(daemon.join(Patience.LIMIT)).isTrue();
    assertThat(starts).hasValue(3);
    assertThat(daemon.isDaemon()).isTrue();
  }
}
