package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Properties of every schedule, tested on random ones. */
class SchedulePropertiesTest {

  private static final int SCHEDULES = Integer.getInteger("tests.schedules", 60);

  private static final long SEED = Long.getLong("tests.seed", 20_261_128);

  private static void forSchedules(BiConsumer<Schedule, Random> property) {
    Random random = new Random(SEED);
    RandomSchedules schedules = new RandomSchedules(random);
    for (int i = 0; i < SCHEDULES; i++) {
      Schedule schedule = schedules.next();
      try {
        property.accept(schedule, random);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "-Dtests.seed=" + SEED + ", " + ScheduleMapper.write(schedule) + ": " + e, e);
      }
    }
  }

  @Test
  void slotsGrowAndTheirWindowsJoinAndArePast() {
    forSchedules((schedule, random) -> {
      List<Slot> slots = schedule.slotsAfter(RandomSchedules.CREATED, 200).slots();
      for (int i = 0; i < slots.size(); i++) {
        Slot slot = slots.get(i);
        assertThat(slot.window().to()).isBeforeOrEqualTo(slot.at());
        if (i > 0) {
          Slot before = slots.get(i - 1);
          assertThat(slot.at()).isAfter(before.at());
          assertThat(slot.window().from()).isEqualTo(before.window().to());
          assertThat(schedule.previous(slot.at())).isEqualTo(before.at());
          assertThat(schedule.count(before.at(), slot.at())).isEqualTo(2);
        }
      }
      if (!slots.isEmpty()) {
        assertThat(schedule.count(slots.getFirst().at(), slots.getLast().at()))
            .isEqualTo(slots.size());
      }
    });
  }

  @Test
  void theFirstRunIsASlot() {
    forSchedules((schedule, random) -> {
      Instant first = schedule.first(RandomSchedules.CREATED);
      if (first != null) {
        assertThat(schedule.nextOrSame(first)).isEqualTo(first);
        assertThat(schedule.previousOrSame(first)).isEqualTo(first);
      }
    });
  }

  @Test
  @SuppressWarnings("unchecked")
  void jsonThereAndBack() {
    JsonMapper mapper = new JsonMapper();
    forSchedules((schedule, random) -> {
      String json = mapper.writeValueAsString(ScheduleMapper.write(schedule));
      assertThat(ScheduleMapper.read(mapper.readValue(json, Map.class))).isEqualTo(schedule);
    });
  }

  @Test
  void everyScheduleCanBeExplained() {
    forSchedules((schedule, random) -> {
      ScheduleExplanation scheduleExplanation =
          ScheduleExplanation.of(schedule, RandomSchedules.CREATED);
      assertThat(scheduleExplanation.words()).doesNotContain("null", "%");
      boolean over =
          scheduleExplanation.warnings().stream()
              .anyMatch(w -> w.matches("It (never fires|fires no more).*"));
      assertThat(scheduleExplanation.next().isEmpty()).isEqualTo(over);
    });
  }

  /** With outages, slow executions and all policies, each slot is decided once, in order. */
  @Test
  void noSlotIsLostOrDoubled() {
    forSchedules((schedule, random) -> {
      Instant first = schedule.first(RandomSchedules.CREATED);
      if (first != null) {
        new Operation(schedule, first, random).run();
      }
    });
  }

  /** A schedule in use, which is checked now and then, and whose executions take time. */
  private static final class Operation {
    private final Schedule schedule;
    private final Random random;
    private final Instant first;
    private final Duration pace;
    private final List<Instant> decided = new ArrayList<>();
    private Instant nextRun;
    private Instant now;
    private boolean running;
    private int fires;

    Operation(Schedule schedule, Instant first, Random random) {
      this.schedule = schedule;
      this.random = random;
      this.first = first;
      this.nextRun = first;
      this.now = RandomSchedules.CREATED;
      Instant second = schedule.next(first);
      pace = second == null ? Duration.ofDays(1) : Duration.between(first, second);
    }

    void run() {
      for (int i = 0; i < 40 && nextRun != null; i++) {
        int slots = random.nextInt(20) == 0 ? 2_500 : random.nextInt(6);
        now = now.plus(pace.dividedBy(3)).plus(pace.multipliedBy(slots).dividedBy(2));
        if (now.isAfter(Instant.parse("9000-01-01T00:00:00Z"))) {
          break;
        }
        running &= random.nextInt(3) > 0;
        Instant before = nextRun;
        SlotPlan slotPlan = SlotPlanner.plan(schedule, nextRun, now, running, pace);
        check(slotPlan, before);
        running |= slotPlan.fire().isPresent();
        nextRun = slotPlan.nextRun();
      }
      Instant end = nextRun == null ? endOfDecided() : nextRun;
      assertThat(decided).isEqualTo(slots(first, end).stream().map(Slot::at).toList());
      if (!schedule.recurs()) {
        assertThat(fires).isLessThanOrEqualTo(1);
      }
    }

    private Instant endOfDecided() {
      return decided.isEmpty() ? first : decided.getLast().plusNanos(1);
    }

    private void check(SlotPlan slotPlan, Instant before) {
      assertThat(slotPlan.decisions().stream().filter(SlotDecision.Fire.class::isInstance))
          .hasSizeLessThanOrEqualTo(1);
      assertThat(slotPlan.decisions()).hasSizeLessThanOrEqualTo(SlotPlanner.MAX_DECIDED + 3);
      for (SlotDecision slotDecision : slotPlan.decisions()) {
        assertThat(slotDecision.reason()).isNotBlank();
        switch (slotDecision) {
          case SlotDecision.Fire fire -> {
            fires++;
            decided.add(fire.slot().at());
            assertThat(fire.slot().at()).isBeforeOrEqualTo(now);
            assertThat(fire.slot()).isEqualTo(schedule.slot(fire.slot().at()));
            assertThat(fire.slot().isExcluded()).isFalse();
            assertThat(fire.cancelRunning())
                .isEqualTo(running && schedule.policy().overlap() == OverlapPolicy.CANCEL);
            assertThat(running)
                .as("runs beside another")
                .isIn(
                    false,
                    schedule.policy().overlap() == OverlapPolicy.ALLOW
                        || schedule.policy().overlap() == OverlapPolicy.CANCEL);
          }
          case SlotDecision.Missed missed -> add(missed.span());
          case SlotDecision.Skipped skipped -> add(skipped.span());
        }
      }
      if (slotPlan.nextRun() != null) {
        assertThat(slotPlan.nextRun()).isAfterOrEqualTo(before);
      }
      if (slotPlan.waiting() != null) {
        assertThat(running).isTrue();
      }
    }

    private void add(SlotDecision.SlotRange slotRange) {
      List<Slot> slots = slots(slotRange.first(), slotRange.last().plusNanos(1));
      assertThat(slots).hasSize((int) slotRange.count());
      assertThat(slotRange.window().from()).isEqualTo(slots.getFirst().window().from());
      assertThat(slotRange.window().to()).isEqualTo(slots.getLast().window().to());
      slots.forEach(slot -> decided.add(slot.at()));
    }

    /** Returns all slots of a range of time, which may be more than one page has. */
    private List<Slot> slots(Instant from, Instant to) {
      List<Slot> all = new ArrayList<>();
      Instant start = from;
      SlotPage page;
      do {
        page = schedule.between(start, to, Schedule.MAX_LISTED);
        all.addAll(page.slots());
        start = all.isEmpty() ? to : all.getLast().at().plusNanos(1);
      } while (page.more());
      return all;
    }
  }

  /** The times of crons, beside those found by a search second by second and day by day. */
  @Test
  void timesOfCronsAreThoseOfADumbSearch() {
    Random random = new Random(SEED);
    for (int i = 0; i < SCHEDULES / 3; i++) {
      LocalDate day = LocalDate.of(2024, 1, 1).plusDays(random.nextInt(3_000));
      String text = new RandomSchedules(random).cron();
      CronExpression cron = CronExpression.parse(text);
      NaiveCron dumb = new NaiveCron(text);
      LocalDateTime at = day.atStartOfDay();
      for (int j = 0; j < 12; j++) {
        LocalDateTime found = cron.nextOrSame(at);
        assertThat(found)
            .as("-Dtests.seed=%d, %s from %s", SEED, text, at)
            .isEqualTo(dumb.nextOrSame(at));
        at = found.plusSeconds(1 + random.nextInt(3) * random.nextInt(100_000));
      }
    }
  }
}
