package io.millrace.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.CalendarPeriod;
import io.millrace.schedule.DayWindow;
import io.millrace.store.sql.SqlRowReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/triggers.md}. */
class TriggersPageTest {

  private final FakeTriggerContext scope = new FakeTriggerContext("2026-03-02T08:20:00Z");

  @TempDir Path temp;

  @Test
  void byTime() throws Exception {
    // docs:time
    Trigger rest = Triggers.fixedDelay(Duration.ofMinutes(5));
    Trigger rhythm = Triggers.fixedRate(Duration.ofMinutes(5));
    Trigger mornings = Triggers.cron("0 0 8 ? * MON-FRI", "Europe/Berlin");
    // docs:end
    assertThat(scope.tick(rest.open(scope)).attempt()).isEqualTo(1);
    assertThat(rhythm.describe()).isEqualTo("every 5m, the work's time included");
    assertThat(
            FakeTriggerContext.pause(mornings.open(new FakeTriggerContext("2026-03-02T08:20:00Z"))))
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void inAWindow() throws Exception {
    // docs:window
    DayWindow morning = DayWindow.of("08:00", "09:00", Duration.ofMinutes(5));
    ZoneId zone = ZoneId.of("Africa/Johannesburg");
    Trigger often = Triggers.daily(morning, zone);
    Trigger onceADay = Triggers.daily(morning.oncePerWindow(), zone);
    Trigger onceAWeek =
        Triggers.daily(
            morning.on(DayOfWeek.MONDAY, DayOfWeek.TUESDAY).oncePer(CalendarPeriod.ISO_WEEK), zone);
    Trigger inOldWords =
        Triggers.dayScheduler(
            Map.of("StartTime", "08:00", "EndTime", "09:00", "IntervalMinutes", 5));
    // docs:end
    FakeTriggerContext eight = new FakeTriggerContext("2026-03-02T06:00:00Z");
    Trigger.Source source = often.open(eight);
    FakeTriggerContext.pause(source);
    eight.pass(Duration.ofMinutes(5));
    assertThat(eight.fire(source).id()).isEqualTo("2026-03-02T08:05");
    assertThat(eight.fire(onceADay.open(new FakeTriggerContext("2026-03-02T06:20:00Z"))).id())
        .isEqualTo("2026-03-02");
    assertThat(eight.fire(onceAWeek.open(new FakeTriggerContext("2026-03-03T06:20:00Z"))).id())
        .isEqualTo("2026-W10");
    assertThat(inOldWords.describe())
        .isEqualTo("every 5 minutes from 08:00 to 09:00, every day, UTC");
  }

  @Test
  void files() throws Exception {
    Path inbox = temp.resolve("inbox");
    Files.createDirectories(inbox);
    Files.writeString(inbox.resolve("a.csv"), "1");
    // docs:folder
    Trigger files =
        Triggers.folder(inbox).glob("*.csv").withSubfolders().thenMoveTo(inbox.resolve("done"));
    // docs:end
    Trigger.Source source = files.open(scope);
    FakeTriggerContext.pause(source);
    scope.pass(Duration.ofSeconds(2));
    scope.fire(source);
    assertThat(inbox.resolve("done/a.csv")).hasContent("1");
  }

  @Test
  void rows() throws Exception {
    DataSource shop = shop();
    // docs:rows
    Trigger orders =
        Triggers.rows(
            SqlRowReader.of(shop, "SELECT id, state, changed_at FROM orders", "id", "changed_at"));
    // docs:end
    // H2 does not show open transactions, so that the row waits for a time.
    assertThat(FakeTriggerContext.pause(orders.open(scope))).isEqualTo(Duration.ofMillis(100));
    Trigger.Source source =
        Triggers.rows(
                SqlRowReader.of(
                        shop, "SELECT id, state, changed_at FROM orders", "id", "changed_at")
                    .lag(Duration.ZERO))
            .open(scope);
    assertThat(scope.fire(source).id()).isEqualTo("7|2026-03-02T08:00Z");
    assertThat(FakeTriggerContext.pause(source)).isEqualTo(Duration.ofSeconds(5));
  }

  private static DataSource shop() throws Exception {
    JdbcDataSource shop = new JdbcDataSource();
    shop.setURL("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
    try (java.sql.Connection connection = shop.getConnection();
        java.sql.Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE orders (id BIGINT, state VARCHAR(9), changed_at TIMESTAMP WITH TIME ZONE)");
      statement.execute("INSERT INTO orders VALUES (7, 'NEW', '2026-03-02 08:00:00+00')");
    }
    return shop;
  }

  /** A source of payloads. */
  private static final class Basket {
    final List<String> things = new ArrayList<>();
    Runnable whenPut = () -> {};

    void put(String thing) {
      things.add(thing);
      whenPut.run();
    }
  }

  // docs:own
  /** A trigger for the payloads of a basket. */
  record FromBasket(Basket basket) implements Trigger {
    @Override
    public String describe() {
      return "what is put into the basket";
    }

    @Override
    public Source open(TriggerContext scope) {
      basket.whenPut = scope::wake;
      return () -> {
        if (basket.things.isEmpty()) {
          return PollResult.untilWoken();
        }
        String thing = basket.things.getFirst();
        return new PollResult.Event(thing, thing, null, () -> basket.things.remove(thing));
      };
    }
  }

  // docs:end

  @Test
  void onesOwn() throws Exception {
    Basket basket = new Basket();
    Trigger.Source source = new FromBasket(basket).open(scope);
    assertThat(source.poll()).isEqualTo(PollResult.untilWoken());
    basket.put("pear");
    assertThat(scope.wakes).hasValue(1);
    assertThat(scope.fire(source).id()).isEqualTo("pear");
    assertThat(source.poll()).isEqualTo(PollResult.untilWoken());
  }
}
