package io.millrace.examples.report.measure;

import io.millrace.examples.report.git.LineCounts;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a history amounts to.
 *
 * @param weeks the weeks with commits, in order
 * @param folders the top folders with changed lines, the most changed first; the last one may stand
 *     for many
 * @param authors those with the most commits first
 */
public record Measures(
    Totals totals, List<Week> weeks, List<Folder> folders, List<Author> authors, Rhythm rhythm) {

  /** The median time between commits; empty when there are too few for one. */
  public Optional<Duration> median() {
    return totals.commits() - totals.undated() < 2
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(rhythm.medianGap()));
  }

  /**
   * Sums over everything.
   *
   * @param undated commits whose date cannot be true; they are missing in all charts over time
   * @param uncounted changed files whose lines were not counted
   */
  public record Totals(
      long commits, long merges, int authors, LineCounts lines, long undated, long uncounted) {}

  /** A week with its Monday, by the authors' own clocks. */
  public record Week(LocalDate monday, int commits, int authors, LineCounts lines) {}

  public record Folder(String name, LineCounts lines) {}

  public record Author(String name, int commits, LocalDate first, LocalDate last) {}

  /**
   * When people commit.
   *
   * @param first the oldest commit's time, and {@code last} the newest one's; 1970 when there is
   *     none
   * @param medianGap half of all commits came faster after the one before, in seconds
   * @param gaps how many commits came within each {@link CommitGap} after the one before; none for
   *     0
   * @param hours commits in each hour of the week, from Monday 0:00 by the authors' own clocks
   */
  public record Rhythm(
      Instant first,
      Instant last,
      long medianGap,
      Map<CommitGap, Integer> gaps,
      List<Integer> hours) {}
}
