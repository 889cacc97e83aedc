package io.millrace.verification.planted;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("planted")
class PlantedHangingTest {

  @Test
  @Tag("hanging")
  void waitsForEver() throws InterruptedException {
    new CountDownLatch(1).await();
  }
}
