package io.millrace.verification.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  private static List<FaultPlan.Round> slots(long seed, Set<FaultKind> left) {
    FaultPlan faultPlan = new FaultPlan(seed, 3, left, 10);
    return IntStream.range(0, 200).mapToObj(i -> faultPlan.next()).toList();
  }

  @Test
  void theSameSeedGivesTheSamePlan() {
    Set<FaultKind> none = EnumSet.noneOf(FaultKind.class);
    assertThat(slots(7, none)).isEqualTo(slots(7, none)).isNotEqualTo(slots(8, none));
  }

  @Test
  void everyKindComesThatIsNotLeftOut() {
    List<FaultKind> seen =
        slots(7, EnumSet.of(FaultKind.DISK_FULL)).stream()
            .flatMap(round -> round.faults().stream())
            .map(Fault::kind)
            .toList();
    assertThat(EnumSet.copyOf(seen))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.DISK_FULL)));
  }

  @Test
  void twoFaultsAtATimeHitDifferentThings() {
    List<FaultPlan.Round> pairs =
        slots(7, EnumSet.noneOf(FaultKind.class)).stream()
            .filter(round -> round.faults().size() == 2)
            .toList();
    assertThat(pairs).isNotEmpty();
    for (FaultPlan.Round pair : pairs) {
      Fault first = pair.faults().get(0);
      Fault second = pair.faults().get(1);
      boolean onNodes = first.node() > 0 && second.node() > 0;
      assertThat(onNodes || first.kind().target() != second.kind().target()).isTrue();
      assertThat(onNodes && first.node() == second.node()).isFalse();
    }
  }
}
