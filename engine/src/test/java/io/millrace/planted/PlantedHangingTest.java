package io.millrace.planted;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Tag("planted")
class PlantedHangingTest {

  private static final Logger LOG = LoggerFactory.getLogger(PlantedHangingTest.class);

  @Test
  @Tag("hanging")
  void waitsForEver() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  /** Waits while a thread warns of a failure again and again, as an engine does. */
  @Test
  @Tag("logging")
  void waitsForEverBesideAnEngine() throws Exception {
    try (ScheduledExecutorService engine = Executors.newSingleThreadScheduledExecutor()) {
      engine
          .scheduleAtFixedRate(
              () -> LOG.warn("planted", new IllegalStateException("planted")),
              0,
              1,
              TimeUnit.SECONDS)
          .get();
    }
  }
}
