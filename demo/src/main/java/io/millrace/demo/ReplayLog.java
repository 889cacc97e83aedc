package io.millrace.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.millrace.demo.shop.DemoShop;
import io.millrace.instance.LogLine;
import io.millrace.store.LogStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A log appender that stores the log lines of the shop's handlers during the replay, with the time
 * of the simulated clock, and keeps the screen quiet: weeks of warnings within one second tell a
 * reader nothing.
 */
final class ReplayLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private static final int BATCH = 500;

  private final LogStore store;
  private final InstantSource clock;
  private final List<LogLine> lines = new ArrayList<>();
  private final @Nullable Logger shop = logger(DemoShop.class.getPackageName());
  private final @Nullable Logger engine = logger("io.millrace");
  private @Nullable Level engineLevel;
  private @Nullable Level shopLevel;

  ReplayLog(LogStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Starts to receive log lines; does nothing if Logback is not in use. */
  ReplayLog attach() {
    if (shop != null && engine != null) {
      engineLevel = engine.getLevel();
      shopLevel = shop.getLevel();
      engine.setLevel(Level.ERROR);
      shop.setLevel(Level.INFO);
      shop.setAdditive(false);
      setContext(shop.getLoggerContext());
      start();
      shop.addAppender(this);
    }
    return this;
  }

  private static @Nullable Logger logger(String name) {
    return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        ? context.getLogger(name)
        : null;
  }

  @Override
  protected void append(ILoggingEvent event) {
    Map<String, String> marks = event.getMDCPropertyMap();
    String instance = marks.get("instance");
    if (instance == null) {
      return;
    }
    LogLine.Source source =
        new LogLine.Source(
            marks.get("state"),
            Integer.parseInt(marks.get("attempt")),
            Integer.parseInt(marks.get("seq")),
            Long.valueOf(marks.get("executor")));
    lines.add(
        new LogLine(
            0,
            Long.parseLong(instance),
            source,
            clock.instant(),
            event.getLevel().toString(),
            event.getLoggerName(),
            event.getFormattedMessage()));
    if (lines.size() == BATCH) {
      write();
    }
  }

  /** Stores the remaining lines. */
  void write() {
    store.append(lines);
    lines.clear();
  }

  @Override
  public void close() {
    if (shop != null && engine != null) {
      shop.detachAppender(this);
      shop.setAdditive(true);
      shop.setLevel(shopLevel);
      engine.setLevel(engineLevel);
      stop();
    }
  }
}
