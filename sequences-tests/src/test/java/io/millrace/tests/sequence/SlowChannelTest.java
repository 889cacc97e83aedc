package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.instance.OperatorAction;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a queue which confirms nothing does not delay other queues. */
@Timeout(300)
@Tag("races")
class SlowChannelTest {

  private static final int MANY = 200;
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final long PATIENCE_SECONDS = 30;

  private final SettableClock clock = SettableClock.at(ManualEngine.START);
  private final Broker broker = new Broker();

  /** A broker of which one queue answers after the limit, and then not before the test lets it. */
  private final class Broker extends TestTransport {
    final CountDownLatch late = new CountDownLatch(1);
    final CountDownLatch probed = new CountDownLatch(1);
    final CountDownLatch mended = new CountDownLatch(1);
    final CountDownLatch fine = new CountDownLatch(MANY);
    final CountDownLatch healed = new CountDownLatch(MANY);
    final AtomicInteger largestProbe = new AtomicInteger();

    @Override
    public List<String> publish(List<Outgoing> messages) {
      boolean slow = messages.stream().anyMatch(one -> one.channel().equals("SLOW"));
      if (!slow || mended.getCount() == 0) {
        return confirmed(messages);
      }
      if (late.getCount() > 0) {
        clock.advance(LIMIT);
        late.countDown();
        return messages.stream().map(this::answer).toList();
      }
      largestProbe.accumulateAndGet(messages.size(), Math::max);
      probed.countDown();
      await(mended);
      return confirmed(messages);
    }

    private List<String> confirmed(List<Outgoing> messages) {
      messages.forEach(this::confirm);
      return Collections.nCopies(messages.size(), null);
    }

    private String answer(Outgoing message) {
      if (message.channel().equals("SLOW")) {
        return "not confirmed in time";
      }
      confirm(message);
      return null;
    }

    private void confirm(Outgoing message) {
      (message.channel().equals("SLOW") ? healed : fine).countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Advances the clock until the latch has been counted down. */
  private void pass(CountDownLatch latch) throws InterruptedException {
    for (int i = 0; i < 600 && !latch.await(50, TimeUnit.MILLISECONDS); i++) {
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(latch.getCount()).isZero();
  }

  private static void start(Engine engine, String task) {
    for (int i = 0; i < MANY; i++) {
      String id = task + "_" + i;
      engine
          .sequences()
          .add(
              TaskSequence.of(id, "Report", Schedule.of(Frequency.DAILY)).task(task).active(false));
      engine.sequences().run(id, Map.of(), OperatorAction.by("ann", "because"));
    }
  }

  @Test
  void aQueueThatConfirmsNothingHoldsUpNoOther() throws Exception {
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(clock))
            .runtime(new EngineRuntime(clock, new ThreadRunner(), new Random(1)))
            .settings(
                ManualEngine.defaultSettings()
                    .lease(Duration.ofDays(2), Duration.ofHours(1))
                    .channelPatience(Duration.ofDays(1))
                    .maxSleep(Duration.ofMillis(100)))
            .channels(broker)
            .task(Task.of("SLOW", "Report").channel("SLOW"), task -> {})
            .task(Task.of("FINE", "Report").channel("FINE"), task -> {})
            .start()) {
      start(engine, "SLOW");
      pass(broker.late);
      pass(broker.probed);

      start(engine, "FINE");
      pass(broker.fine);

      assertThat(broker.healed.getCount()).isEqualTo(MANY);
      assertThat(broker.largestProbe).hasValue(1);
      assertThat(engine.sequences().get("SLOW_0").last().undelivered())
          .isEqualTo("not confirmed in time");

      broker.mended.countDown();
      pass(broker.healed);
    }
  }
}
