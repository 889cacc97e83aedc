package io.millrace.redis.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.bridge.WorkflowBridge;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of values that are well-typed, but that Redis or workers in Node.js cannot use. */
class RefusedValuesTest {

  private static final Duration TOO_LONG = Duration.ofDays(366);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static void isRefused(ThrowingCallable call, String... texts) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(texts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\n"})
  void aBlankUniqueKeyIsRefused(String key) {
    isRefused(() -> NewJob.of(Map.of()).uniqueKey(key), "unique key", "blank");
  }

  /** In UTF-8 it would be a question mark, and two keys or queues would be the same. */
  @Test
  void halfOfASurrogatePairIsNoPartOfAKey() {
    isRefused(() -> NewJob.of(Map.of()).uniqueKey("A-\uD83D"), "unique key", "surrogate");
    isRefused(() -> Queue.of("q\uDE00"), "The queue 'q\uFFFD'", "surrogate");
    isRefused(() -> Flow.of("f\uD83D", Queue.of("q")), "The flow", "surrogate");
    assertThat(NewJob.of(Map.of()).uniqueKey("A-😀").uniqueKey()).isEqualTo("A-😀");
  }

  @Test
  void aDelayOverTheLimitIsRefused() {
    assertThat(NewJob.of(Map.of()).delay(Duration.ofDays(365)).delay()).hasDays(365);
    for (Duration delay : new Duration[] {TOO_LONG, FOREVER, Duration.ofSeconds(-1)}) {
      isRefused(() -> NewJob.of(Map.of()).delay(delay), delay.toString(), "0 to 365 days");
      isRefused(() -> JobResult.later(delay, "later"), delay.toString(), "0 to 365 days");
    }
  }

  @Test
  void timesThatNoClockCanCountAreRefused() {
    isRefused(() -> Flow.of("f", Queue.of("q")).timeToLive(FOREVER), "timeToLive", "3650 days");
    isRefused(() -> QueuePolicy.standard().stallGrace(FOREVER), "stallGrace", "365 days");
    isRefused(() -> QueuePolicy.standard().handlerTimeout(FOREVER), "handlerTimeout", "365 days");
  }

  @Test
  void everySettingIsCalledByItsName() {
    QueuePolicy standard = QueuePolicy.standard();
    isRefused(() -> standard.handlerTimeout(Duration.ZERO), "The handlerTimeout of", "PT0S");
    isRefused(() -> standard.maxDeadJobs(-1), "The maxDeadJobs of", "-1", "0 or more");
    isRefused(() -> standard.stallLimit(-1), "The stallLimit of", "0 to 1000");
  }

  @Test
  void aTimeBetweenLooksThatNoJobCanBeDelayedForIsRefused() {
    EngineRuntime runtime = EngineRuntime.system();
    isRefused(() -> WorkflowBridge.of(runtime, FOREVER), FOREVER.toString(), "365 days");
    isRefused(() -> WorkflowBridge.of(runtime, Duration.ZERO), "PT0S", "100 ms");
  }

  /**
   * In Node.js it names the next queue; here it would be stored, and the job would go elsewhere.
   */
  @Test
  void aResultFieldWithTheNameOfTheRouteIsRefused() {
    isRefused(() -> JobResult.of("nextQueue", "send"), "'nextQueue'", "'send'", "completed().next");
    isRefused(() -> JobResult.of(Map.of("nextQueue", "send")), "'nextQueue'");
    isRefused(() -> JobResult.completed().with("nextQueue", null), "'nextQueue'");
    assertThat(JobResult.completed().next("send").nextQueue()).isEqualTo("send");
  }
}
