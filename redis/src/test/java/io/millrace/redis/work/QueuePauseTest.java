package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.MillraceKeys;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of pause and resume, and of the progress that a handler reports. */
@Timeout(300)
@Tag("races")
class QueuePauseTest {

  private final TestRedis server = new TestRedis();
  private final Flow flow = WorkerFixture.flow(server, "a");
  private final WorkerFixture workerFixture = new WorkerFixture(server, flow);
  private final String paused = MillraceKeys.paused(server.name("a"));

  @AfterEach
  void close() {
    workerFixture.close();
  }

  @Test
  void workersTakeNothingWhileTheirQueueIsPausedAndGoOnAfterwards() throws Exception {
    server.redis().call("SET", paused, "maintenance");
    String id = workerFixture.create(1);
    workerFixture.worker(0, job -> JobResult.completed()).start();

    assertThat(workerFixture.events.poll(300, TimeUnit.MILLISECONDS)).isNull();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id));

    server.redis().call("DEL", paused);
    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(id);
  }

  @Test
  void aJobThatAWaitingWorkerHearsOfIsReleasedWhenItsQueueIsPaused() throws Exception {
    workerFixture.worker(0, job -> JobResult.completed()).start();
    ServerConditions.untilWaits(server, 1);
    server.redis().call("SET", paused, "");
    String first = workerFixture.create(1);
    String second = workerFixture.create(2);

    ServerConditions.until(() ->
        workerFixture.waiting(0).equals(List.of(first, second))
            && workerFixture.processing(0).isEmpty());
    assertThat(workerFixture.lock(0, first)).isNull();
    server.redis().call("DEL", paused);
    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(first);
  }

  @Test
  void allWorkersGoOnTogetherWhenTheirQueueIsResumed() throws Exception {
    int many = 40;
    server.redis().call("SET", paused, "");
    CountDownLatch together = new CountDownLatch(many);
    for (int i = 0; i < many; i++) {
      workerFixture.create(i);
      workerFixture
          .worker(
              0,
              job -> {
                together.countDown();
                together.await();
                return JobResult.completed();
              })
          .start();
    }
    assertThat(workerFixture.events.poll(300, TimeUnit.MILLISECONDS)).isNull();

    server.redis().call("DEL", paused);
    // A worker checks every second; one after the other, the workers would take forty seconds.
    assertThat(together.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void progressAndNoteAreToldAndLiveAsLongAsTheJob() throws Exception {
    workerFixture
        .worker(
            0,
            job -> {
              job.progress(40, "packing");
              return JobResult.completed();
            })
        .start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);

    String metadata = MillraceKeys.metadata(flow.name(), id);
    assertThat(server.redis().call("HMGET", metadata, "progress", "note"))
        .isEqualTo(List.of("40", "packing"));
    assertThat((Long) server.redis().call("TTL", metadata)).isBetween(86_000L, 86_400L);
  }

  @Test
  void childrenHaveOneQueueAndNamesOfTheirOwn() {
    assertThatThrownBy(() -> Queue.of("p").children(Queue.of("c").next("d")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("one queue only");
    assertThatThrownBy(() -> Queue.of("p").children(Queue.of("c"), Queue.of("c")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("two kinds of children 'c'");
  }
}
