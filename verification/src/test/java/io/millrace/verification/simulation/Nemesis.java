package io.millrace.verification.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes things go wrong. Every seed has its own choice of what may go wrong, and how often. */
final class Nemesis {

  private final World world;
  private final Random random;
  private final List<Runnable> faults = new ArrayList<>();
  private final int mostRest;

  Nemesis(World world) {
    this.world = world;
    this.random = world.kernel.random;
    this.mostRest = 1000 + random.nextInt(12_000);
    perhaps(() -> world.anyNode().kill());
    perhaps(() -> world.anyNode().pause(aboutALease()));
    perhaps(() -> world.anyNode().block(aboutALease()));
    perhaps(() -> world.anyNode().deafen(aboutALease()));
    perhaps(() -> {
      if (random.nextBoolean()) {
        world.anyNode().drain();
      } else {
        world.anyNode().askToDrain();
      }
    });
    perhaps(() -> world.anyNode().jumpClock(Duration.ofMinutes(random.nextInt(240) - 120)));
    perhaps(() -> {
      world.journal.fault("db", "database down");
      world.network.databaseDown(aboutALease());
    });
    if (world.sequences != null) {
      perhaps(() -> {
        world.journal.fault("broker", "broker down");
        world.sequences.broker.goAway(aboutALease());
      });
    }
  }

  private void perhaps(Runnable fault) {
    if (random.nextInt(3) > 0) {
      faults.add(fault);
    }
  }

  /** Most faults hide where a time limit has just passed, or just not. */
  private Duration aboutALease() {
    int millis = random.nextBoolean() ? random.nextInt(30_000) : 7_500 + random.nextInt(6_000);
    return Duration.ofMillis(200 + millis);
  }

  void begin(Duration time) {
    long end = world.kernel.now() + time.toNanos();
    world.kernel.spawn(
        new Host(world.kernel, "nemesis"),
        "nemesis",
        () -> {
          while (!faults.isEmpty()) {
            world.kernel.current().rest(Duration.ofMillis(random.nextInt(mostRest)));
            if (world.kernel.now() >= end) {
              return;
            }
            faults.get(random.nextInt(faults.size())).run();
          }
        });
  }
}
