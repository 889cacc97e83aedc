package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.Queue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleJobTest {

  private static final Flow FLOW =
      Flow.of(
          "orders",
          Queue.of("check").fields("item", "count", "note"),
          Queue.of("split").children(Queue.of("part").fields("n")));

  record Order(String item, int count) {}

  @Test
  void aHandlerSeesWhatItsQueueNamesAndNothingElse() {
    Map<String, Object> fields =
        Map.of("item", "bread", "count", 3, "secret", 1, "correlationId", "c-1");
    Job job = SampleJob.of(FLOW, "check", fields);

    assertThat(job.as(Order.class)).isEqualTo(new Order("bread", 3));
    assertThat(job.fields()).containsExactly("item", "count");
    assertThat(job.find("note", String.class)).isEmpty();
    assertThat(job.correlationId()).contains("c-1");
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.flow()).isEqualTo("orders");
    assertThat(job.isCancelled()).isFalse();
    job.progress(50, "half");
    assertThatThrownBy(() -> job.find("secret", Integer.class)).hasMessageContaining("'secret'");
    assertThatThrownBy(() -> job.progress(101, "too far")).hasMessageContaining("101");
  }

  @Test
  void aChildAndALaterAttempt() {
    Job job = SampleJob.of(FLOW, "split:part", Map.of("n", List.of(1, 2)), 4);

    assertThat(job.queue()).isEqualTo("split:part");
    assertThat(job.get("n", int[].class)).containsExactly(1, 2);
    assertThat(job.attempt()).isEqualTo(4);
  }

  @Test
  void whatThereIsNotIsRefused() {
    assertThatThrownBy(() -> SampleJob.of(FLOW, "nowhere", Map.of()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'nowhere'");
    assertThatThrownBy(() -> SampleJob.of(FLOW, "check", Map.of(), 0))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected 1 or more");
  }
}
