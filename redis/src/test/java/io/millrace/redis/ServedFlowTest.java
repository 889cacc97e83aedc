package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedFlowTest {

  private static final JobHandler HANDLER = job -> JobResult.completed();

  private final ServedFlow work =
      ServedFlow.of(Flow.of("pack", Queue.of("box").children(Queue.of("fold")), Queue.of("ship")));

  @Test
  void queuesAreServedByWhatTheyNeed() {
    assertThat(work.serveParents("box", 1).serve("box:fold", 2, HANDLER).serve("ship", 3, HANDLER))
        .extracting(all -> all.workerPools().stream().map(ServedFlow.WorkerPool::workers).toList())
        .isEqualTo(List.of(1, 2, 3));
  }

  /** The mistake is found here, and not when a server with many jars starts to work. */
  @Test
  void whatCannotWorkIsRefusedAtOnce() {
    refused(() -> work.serve("box", 1, HANDLER), "Queue box of flow pack has children");
    refused(() -> work.serveParents("ship", 1), "Queue ship has no children");
    refused(() -> work.serve("box:glue", 1, HANDLER), "has no queue 'box:glue'; box has fold");
    refused(() -> work.serve("nowhere", 1, HANDLER), "nowhere");
    refused(() -> work.serve("ship", 0, HANDLER), "0 workers");
    refused(
        () -> new ServedFlow(work.flow(), List.of(new ServedFlow.WorkerPool("none", 1, HANDLER))),
        "none");
  }

  private static void refused(Runnable action, String why) {
    assertThatThrownBy(action::run)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(why);
  }
}
