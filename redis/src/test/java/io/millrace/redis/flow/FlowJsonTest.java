package io.millrace.redis.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlowJsonTest {

  private static final Flow PACK =
      Flow.of(
              "pack",
              Queue.of("box")
                  .fields("size", "größe")
                  .children(Queue.of("fold").lockTime(Duration.ofSeconds(7)))
                  .next("ship"),
              Queue.of("ship"))
          .lookup("customer", "order")
          .timeToLive(Duration.ofHours(3));

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(FlowJson.read(FlowJson.write(PACK))).isEqualTo(PACK);
  }

  @Test
  void whatIsNoFlowIsRefused() {
    for (String text : new String[] {"", "{", "7", "null", "[]", "{}", "{\"name\":\"a:b\"}"}) {
      assertThatThrownBy(() -> FlowJson.read(text))
          .as(text)
          .isInstanceOf(InvalidRequestException.class);
    }
    String broken = FlowJson.write(PACK).replace("\"lockTimeSeconds\":7", "\"lockTimeSeconds\":0");
    assertThatThrownBy(() -> FlowJson.read(broken)).hasMessageContaining("lockTime of queue fold");
  }
}
