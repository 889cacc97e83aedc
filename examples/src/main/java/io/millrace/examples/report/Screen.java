package io.millrace.examples.report;

import io.millrace.examples.report.measure.Words;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shows how a run goes on: in a terminal as one line that is written again and again, elsewhere as
 * a line now and then.
 */
final class Screen {

  private static final long PLAIN_EVERY = Duration.ofSeconds(2).toNanos();
  private static final int BAR = 24;
  private static final int WIDTH = 79;

  private final PrintStream out;
  private final boolean live;
  private @Nullable Moment shown;
  private long shownAt;
  private boolean open;
  private @Nullable Rate rate;

  /** Since when commits are counted in this process. */
  private record Rate(long since, long from) {}

  Screen(PrintStream out, boolean live) {
    this.out = out;
    this.live = live;
  }

  /** True when a person looks at the output while it is written. */
  static boolean isLive() {
    return !"dumb".equals(System.getenv("TERM"))
        && Optional.ofNullable(System.console()).map(Screen::isTerminal).orElse(false);
  }

  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true; // before JDK 22 there is a console only if there is a terminal
    }
  }

  /** Writes a line. */
  void say(String line) {
    endLine();
    out.println(line);
    out.flush();
  }

  /**
   * Shows the moment.
   *
   * @param now the time in nanoseconds, from any beginning
   */
  void show(Moment moment, long now) {
    countFrom(moment, now);
    if (live) {
      out.print("\r" + fill(line(moment, now)));
      out.flush();
      open = true;
    } else if (isNews(moment, now)) {
      out.println(line(moment, now));
      out.flush();
    } else {
      return;
    }
    shown = moment;
    shownAt = now;
  }

  private void countFrom(Moment moment, long now) {
    if (rate == null && moment.total() > 0) {
      rate = new Rate(now, moment.done());
    }
  }

  private boolean isNews(Moment moment, long now) {
    if (shown == null || !shown.state().equals(moment.state())) {
      return true;
    }
    return !shown.equals(moment) && now - shownAt >= PLAIN_EVERY;
  }

  private String line(Moment moment, long now) {
    if (!moment.state().equals("collect") || moment.total() == 0) {
      return moment.state();
    }
    return moment.state() + bar(moment) + "  " + moment.count() + perSecond(moment, now);
  }

  private String bar(Moment moment) {
    int filled = Math.toIntExact(moment.done() * BAR / moment.total());
    String bar = live ? " [" + "#".repeat(filled) + "-".repeat(BAR - filled) + "]" : "";
    return bar + "  %3s %%".formatted(moment.done() * 100 / moment.total());
  }

  private String perSecond(Moment moment, long now) {
    if (rate == null || now - rate.since() < Duration.ofMillis(800).toNanos()) {
      return "";
    }
    double seconds = (now - rate.since()) / 1e9;
    long commits = Math.round((moment.done() - rate.from()) / seconds);
    return commits <= 0 ? "" : ", " + Words.number(commits) + "/s";
  }

  private static String fill(String line) {
    return line.length() >= WIDTH ? line : line + " ".repeat(WIDTH - line.length());
  }

  private void endLine() {
    if (open) {
      out.println();
      open = false;
    }
  }
}
