package io.millrace.redis.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import org.junit.jupiter.api.Test;

class FlowTest {

  /** Its jobs would wait forever in a list that no worker reads. */
  @Test
  void aQueueThatLeadsToNoneOfTheFlowIsRefused() {
    assertThatThrownBy(
            () -> Flow.of("orders", Queue.of("reserve").next("lable"), Queue.of("label")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'lable'")
        .hasMessageContaining("reserve, label");
  }

  @Test
  void queuesMayLeadBackAndToThemselves() {
    Flow flow = Flow.of("loop", Queue.of("a").next("b"), Queue.of("b").next("a"));
    assertThat(flow.queue("b").next()).isEqualTo("a");
    assertThat(Flow.of("again", Queue.of("a").next("a")).first().next()).isEqualTo("a");
  }
}
