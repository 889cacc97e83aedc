package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.LuaScript;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the scripts and the recovery in many simulated schedules of faults. Scripts with a
 * planted fault show that the simulation finds faults.
 */
class ProtocolSimulationTest {

  private static final int SEEDS = 50;

  @Test
  void everyJobEndsOnceWhateverIsLostAndWhicheverWorkerDies() {
    LongStream.range(0, SEEDS).forEach(seed -> play(seed, server -> {}));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void aPlantedFaultIsFound(Planted fault) {
    boolean found =
        LongStream.range(0, SEEDS)
            .anyMatch(seed -> {
              try {
                new SimRun(seed, fault.plant()).play();
                return false;
              } catch (AssertionError e) {
                return true;
              }
            });

    assertThat(found).as("%s is found within %d seeds", fault, SEEDS).isTrue();
  }

  private static void play(long seed, Consumer<SimServer> planted) {
    try {
      new SimRun(seed, planted).play();
    } catch (AssertionError e) {
      throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
    }
  }

  record Planted(String name, LuaScript script, Map<String, String> changes) {
    Consumer<SimServer> plant() {
      return server -> changes.forEach((right, wrong) -> server.change(script, right, wrong));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Planted> faults() {
    String notMine = "if not isOwner then";
    String foreign = "if redis.call('EXISTS', lockPrefix .. id) == 1 and not ownsLock(id) then";
    String gone = "if removed == 0 then";
    return Stream.of(
        new Planted(
            "complete does not compare the owner",
            LuaScript.COMPLETE,
            Map.of(notMine, "if false then")),
        new Planted(
            "complete pushes whether the entry was there or not",
            LuaScript.COMPLETE,
            Map.of(
                notMine,
                "if false then",
                gone,
                "if false then",
                "local stored = removed == 1 and",
                "local stored =")),
        new Planted(
            "complete pushes before it looks",
            LuaScript.COMPLETE,
            Map.of(
                notMine,
                "if nextWaiting ~= '' then redis.call('RPUSH', nextWaiting, id) end if false"
                    + " then",
                "local pushed = redis.pcall('RPUSH', nextWaiting, id)",
                "local pushed = 1",
                "redis.call('RPOP', nextWaiting)",
                "redis.call('EXISTS', nextWaiting)")),
        new Planted(
            "complete keeps the entry",
            LuaScript.COMPLETE,
            Map.of("redis.pcall('LREM', processing, 1, id)", "1")),
        new Planted(
            "fail does not compare the owner", LuaScript.FAIL, Map.of(notMine, "if false then")),
        new Planted(
            "come back does not compare the owner",
            LuaScript.COME_BACK,
            Map.of(notMine, "if false then")),
        new Planted(
            "recover returns what is not in processing",
            LuaScript.RECOVER,
            Map.of(
                "if redis.call('LREM', processing, 1, id) == 0 then",
                "if redis.call('LREM', processing, 1, id) == -1 then")),
        new Planted(
            "release does not look at the lock",
            LuaScript.RELEASE,
            Map.of(foreign, "if false then")));
  }
}
