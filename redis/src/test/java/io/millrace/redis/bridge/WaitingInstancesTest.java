package io.millrace.redis.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingInstancesTest {

  /** Otherwise each job that ends in another process would be kept forever. */
  @Test
  void whatWasPutLongestAgoIsForgotten() {
    WaitingInstances waitingInstances = new WaitingInstances(2);
    waitingInstances.put("a", 1);
    waitingInstances.put("b", 2);
    waitingInstances.put("a", 1);
    waitingInstances.put("c", 3);

    assertThat(waitingInstances.remove("b")).isNull();
    assertThat(waitingInstances.remove("a")).isEqualTo(1L);
    assertThat(waitingInstances.remove("a")).isNull();
    assertThat(waitingInstances.remove("c")).isEqualTo(3L);
  }
}
