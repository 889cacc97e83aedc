package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some zones and years of the complete comparison of {@link ScheduleProof}. */
class WallClockComparisonTest {

  /** Zones with every kind of change, in years in which they have it. */
  @ParameterizedTest
  @CsvSource({
    "2025, Europe/Berlin Australia/Lord_Howe America/Havana",
    "2011, Pacific/Apia America/St_Johns Africa/Casablanca"
  })
  void zonesThatChangeTheirClocks(int year, String zones) {
    WallClockComparison wallClockComparison = new WallClockComparison(year, 1);
    for (String zone : zones.split(" ", -1)) {
      wallClockComparison.check(ZoneId.of(zone), new Random(zone.hashCode()));
    }
    assertThat(wallClockComparison.compared()).isGreaterThan(20_000);
  }

  @Test
  void zonesByChance() {
    long seed = Long.getLong("tests.seed", 20_261_128);
    Random random = new Random(seed);
    int year = random.nextInt(2010, 2029);
    List<String> zones = new ArrayList<>(ZoneId.getAvailableZoneIds().stream().sorted().toList());
    WallClockComparison wallClockComparison = new WallClockComparison(year, 1);
    for (int i = 0; i < 2; i++) {
      String zone = zones.get(random.nextInt(zones.size()));
      try {
        wallClockComparison.check(ZoneId.of(zone), random);
      } catch (AssertionError e) {
        throw new AssertionError("-Dtests.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
    assertThat(wallClockComparison.compared()).isGreaterThan(3_000);
  }
}
