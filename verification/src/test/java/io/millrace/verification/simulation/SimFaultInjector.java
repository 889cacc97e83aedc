package io.millrace.verification.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An injector of faults. Every seed has its own choice of faults and their frequency. */
final class SimFaultInjector {

  private final SimWorld simWorld;
  private final Random random;
  private final List<Runnable> faults = new ArrayList<>();
  private final int mostRest;

  SimFaultInjector(SimWorld simWorld) {
    this.simWorld = simWorld;
    this.random = simWorld.kernel.random;
    this.mostRest = 1000 + random.nextInt(12_000);
    perhaps(() -> simWorld.anyNode().kill());
    perhaps(() -> simWorld.anyNode().pause(aboutALease()));
    perhaps(() -> simWorld.anyNode().block(aboutALease()));
    perhaps(() -> simWorld.anyNode().deafen(aboutALease()));
    perhaps(() -> {
      if (random.nextBoolean()) {
        simWorld.anyNode().drain();
      } else {
        simWorld.anyNode().requestDrain();
      }
    });
    perhaps(() -> simWorld.anyNode().jumpClock(Duration.ofMinutes(random.nextInt(240) - 120)));
    perhaps(() -> {
      simWorld.journal.fault("db", "database down");
      simWorld.network.databaseDown(aboutALease());
    });
    if (simWorld.sequences != null) {
      perhaps(() -> {
        simWorld.journal.fault("broker", "broker down");
        simWorld.sequences.broker.goAway(aboutALease());
      });
    }
  }

  private void perhaps(Runnable fault) {
    if (random.nextInt(3) > 0) {
      faults.add(fault);
    }
  }

  /**
   * Returns a duration near the length of a lease, because most faults show just before or after a
   * time limit.
   */
  private Duration aboutALease() {
    int millis = random.nextBoolean() ? random.nextInt(30_000) : 7_500 + random.nextInt(6_000);
    return Duration.ofMillis(200 + millis);
  }

  void begin(Duration time) {
    long end = simWorld.kernel.now() + time.toNanos();
    simWorld.kernel.spawn(
        new SimHost(simWorld.kernel, "nemesis"),
        "nemesis",
        () -> {
          while (!faults.isEmpty()) {
            simWorld.kernel.current().rest(Duration.ofMillis(random.nextInt(mostRest)));
            if (simWorld.kernel.now() >= end) {
              return;
            }
            faults.get(random.nextInt(faults.size())).run();
          }
        });
  }
}
