package io.millrace.verification.chaos.nemesis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The order of the faults of a run. The same seed gives the same plan. Every kind comes once; later
 * rounds have more of the kinds whose recovery times are measured. A round has one fault or two
 * together, of which at most one affects the database.
 */
public final class FaultPlan {

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int PERCENT_TOGETHER = 40;
  private static final int MEASURED_TIMES = 3;
  private static final List<FaultKind> MEASURED =
      List.of(
          FaultKind.KILL,
          FaultKind.DRAIN,
          FaultKind.DATABASE_FAST,
          FaultKind.DATABASE_IMMEDIATE,
          FaultKind.DATABASE_KILL);

  /**
   * The faults of a round, which start together, and the rest after the last of them has ended.
   *
   * @param offset delay of the second fault after the first
   */
  public record Round(List<Fault> faults, Duration offset, Duration rest) {}

  private final Random random;
  private final List<FaultKind> kinds;
  private final int nodes;
  private final long mostDownSeconds;
  private final Deque<FaultKind> deck = new ArrayDeque<>();
  private boolean first = true;

  /**
   * @param left kinds that cannot be injected here
   * @param mostDownSeconds maximum time for which the database is down
   */
  public FaultPlan(long seed, int nodes, Set<FaultKind> left, long mostDownSeconds) {
    this.random = new Random(seed);
    this.nodes = nodes;
    this.mostDownSeconds = mostDownSeconds;
    Set<FaultKind> all = EnumSet.allOf(FaultKind.class);
    all.removeAll(left);
    this.kinds = List.copyOf(all);
  }

  /** Returns the next round. */
  public Round next() {
    Fault first = fault(draw(), 0);
    List<Fault> faults = new ArrayList<>(List.of(first));
    if (random.nextInt(100) < PERCENT_TOGETHER) {
      FaultKind second = draw();
      if (second.target() == FaultKind.Target.NODE || second.target() != first.kind().target()) {
        faults.add(fault(second, first.node()));
      } else {
        deck.addLast(second);
      }
    }
    boolean kills = faults.stream().anyMatch(f -> f.kind() == FaultKind.KILL);
    return new Round(List.copyOf(faults), seconds(0, 4), kills ? seconds(10, 14) : seconds(2, 6));
  }

  private FaultKind draw() {
    if (deck.isEmpty()) {
      List<FaultKind> shuffled = new ArrayList<>(kinds);
      for (int times = 1; times < MEASURED_TIMES && !first; times++) {
        MEASURED.stream().filter(kinds::contains).forEach(shuffled::add);
      }
      first = false;
      Collections.shuffle(shuffled, random);
      deck.addAll(shuffled);
    }
    return deck.removeFirst();
  }

  private Fault fault(FaultKind kind, int notNode) {
    int node = kind.target() == FaultKind.Target.NODE ? otherThan(notNode) : 0;
    return switch (kind) {
      case KILL, DRAIN -> new Fault(kind, node, seconds(0, 10), 0);
      case FREEZE_HALF -> new Fault(kind, node, LEASE.dividedBy(2), 0);
      case FREEZE_NEARLY -> new Fault(kind, node, LEASE.multipliedBy(9).dividedBy(10), 0);
      case FREEZE_JUST_OVER -> new Fault(kind, node, LEASE.multipliedBy(11).dividedBy(10), 0);
      case FREEZE_LONG -> new Fault(kind, node, LEASE.multipliedBy(3), 0);
      case CUT -> new Fault(kind, node, seconds(1, 6), 0);
      case DELAY -> new Fault(kind, node, seconds(5, 15), random.nextLong(10, 200));
      case STALL_BOTH, STALL_REQUESTS, STALL_REPLIES ->
          new Fault(kind, node, seconds(3, 20), random.nextInt(2));
      case LATE_REPLIES -> new Fault(kind, node, seconds(5, 20), random.nextLong(1_000, 12_000));
      case DROPPED_REPLIES -> new Fault(kind, node, seconds(1, 6), 0);
      case BACKENDS_OF_NODE -> new Fault(kind, node, seconds(1, 3), 0);
      case BACKENDS_OF_ALL -> new Fault(kind, 0, seconds(1, 3), 0);
      case DATABASE_FAST, DATABASE_IMMEDIATE, DATABASE_KILL ->
          new Fault(kind, 0, seconds(1, mostDownSeconds), 0);
      case DISK_FULL -> new Fault(kind, 0, seconds(5, 15), random.nextInt(2));
      case CLOCK_JUMP -> new Fault(kind, 0, seconds(2, 10), random.nextLong(-120, 120));
    };
  }

  private int otherThan(int taken) {
    int node = 1 + random.nextInt(nodes);
    return node == taken ? 1 + node % nodes : node;
  }

  private Duration seconds(long least, long most) {
    return Duration.ofMillis(random.nextLong(least * 1000, most * 1000 + 1));
  }
}
