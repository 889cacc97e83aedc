package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.Loop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollRequestsTest {

  private final FakeRuntime runtime = new FakeRuntime();
  private final PollRequests polls =
      new PollRequests(
          new EngineContext(
              null,
              runtime.runtime(),
              EngineSettings.defaults(),
              null,
              null,
              new EngineEventPublisher(List.of()),
              List.of()));
  private int woken;
  private final Loop loop =
      new Loop() {
        @Override
        public void wake() {
          woken++;
        }

        @Override
        public boolean stop(Duration patience) {
          return true;
        }
      };

  @Test
  void theFirstPollNeedsNoRequest() {
    assertThat(polls.untilNext()).isZero();
    polls.attach(loop);
    assertThat(woken).isZero();
  }

  /** The dispatcher's first round may have passed before its loop is known. */
  @Test
  void aRequestFromBeforeTheLoopIsKnownWakesIt() {
    polls.take(Duration.ofSeconds(1));
    polls.poll();
    polls.attach(loop);
    assertThat(woken).isEqualTo(1);
    assertThat(polls.untilNext()).isZero();
  }

  @Test
  void aPauseIsOnlyShortened() {
    polls.attach(loop);
    polls.take(Duration.ofMillis(300));
    polls.pollWithin(Duration.ofMillis(500));
    assertThat(woken).isZero();
    polls.pollWithin(Duration.ofMillis(200));
    assertThat(woken).isEqualTo(1);
    assertThat(polls.untilNext()).isEqualTo(Duration.ofMillis(200));
  }
}
