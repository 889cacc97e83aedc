package io.millrace.redis.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingTest {

  /** Else each job that ends in another process would be remembered for ever. */
  @Test
  void whatWasPutLongestAgoIsForgotten() {
    Waiting waiting = new Waiting(2);
    waiting.put("a", 1);
    waiting.put("b", 2);
    waiting.put("a", 1);
    waiting.put("c", 3);

    assertThat(waiting.remove("b")).isNull();
    assertThat(waiting.remove("a")).isEqualTo(1L);
    assertThat(waiting.remove("a")).isNull();
    assertThat(waiting.remove("c")).isEqualTo(3L);
  }
}
