package io.millrace.examples.report;

import io.millrace.examples.report.measure.HumanFormat;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A display of the progress of a run: one line that is rewritten in a terminal, a line now and then
 * elsewhere.
 */
final class ProgressDisplay {

  private static final long PLAIN_EVERY = Duration.ofSeconds(2).toNanos();
  private static final int BAR = 24;
  private static final int WIDTH = 79;

  private final PrintStream out;
  private final boolean live;
  private @Nullable RunProgress shown;
  private long shownAt;
  private boolean open;
  private @Nullable Rate rate;

  /**
   * The start of the rate: the time since which commits are counted in this process, and their
   * number then.
   */
  private record Rate(long since, long from) {}

  ProgressDisplay(PrintStream out, boolean live) {
    this.out = out;
    this.live = live;
  }

  /** True if a person watches the output in a terminal. */
  static boolean isLive() {
    return !"dumb".equals(System.getenv("TERM"))
        && Optional.ofNullable(System.console()).map(ProgressDisplay::isTerminal).orElse(false);
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
   * Shows the current progress.
   *
   * @param now time in nanoseconds, from any origin
   */
  void show(RunProgress runProgress, long now) {
    countFrom(runProgress, now);
    if (live) {
      out.print("\r" + fill(line(runProgress, now)));
      out.flush();
      open = true;
    } else if (isNews(runProgress, now)) {
      out.println(line(runProgress, now));
      out.flush();
    } else {
      return;
    }
    shown = runProgress;
    shownAt = now;
  }

  private void countFrom(RunProgress runProgress, long now) {
    if (rate == null && runProgress.total() > 0) {
      rate = new Rate(now, runProgress.done());
    }
  }

  private boolean isNews(RunProgress runProgress, long now) {
    if (shown == null || !shown.state().equals(runProgress.state())) {
      return true;
    }
    return !shown.equals(runProgress) && now - shownAt >= PLAIN_EVERY;
  }

  private String line(RunProgress runProgress, long now) {
    if (!runProgress.state().equals("collect") || runProgress.total() == 0) {
      return runProgress.state();
    }
    return runProgress.state()
        + bar(runProgress)
        + "  "
        + runProgress.count()
        + perSecond(runProgress, now);
  }

  private String bar(RunProgress runProgress) {
    int filled = Math.toIntExact(runProgress.done() * BAR / runProgress.total());
    String bar = live ? " [" + "#".repeat(filled) + "-".repeat(BAR - filled) + "]" : "";
    return bar + "  %3s %%".formatted(runProgress.done() * 100 / runProgress.total());
  }

  private String perSecond(RunProgress runProgress, long now) {
    if (rate == null || now - rate.since() < Duration.ofMillis(800).toNanos()) {
      return "";
    }
    double seconds = (now - rate.since()) / 1e9;
    long commits = Math.round((runProgress.done() - rate.from()) / seconds);
    return commits <= 0 ? "" : ", " + HumanFormat.number(commits) + "/s";
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
