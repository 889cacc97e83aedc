package io.millrace.examples.report.measure;

import io.millrace.examples.report.git.LineCounts;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The measures of a history.
 *
 * @param weeks weeks with commits, in order
 * @param folders top folders with changed lines, the most changed first; the last entry may combine
 *     many folders
 * @param authors authors, those with the most commits first
 */
public record Measures(
    Totals totals, List<Week> weeks, List<Folder> folders, List<Author> authors, Rhythm rhythm) {

  /** Returns the median time between commits; empty if there are too few commits. */
  public Optional<Duration> median() {
    return totals.commits() - totals.undated() < 2
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(rhythm.medianGap()));
  }

  /**
   * The sums over the whole history.
   *
   * @param undated commits with an impossible date, which are missing in all charts over time
   * @param uncounted changed files whose lines were not counted
   */
  public record Totals(
      long commits, long merges, int authors, LineCounts lines, long undated, long uncounted) {}

  /** A week with its Monday, by the authors' own clocks. */
  public record Week(LocalDate monday, int commits, int authors, LineCounts lines) {}

  public record Folder(String name, LineCounts lines) {}

  public record Author(String name, int commits, LocalDate first, LocalDate last) {}

  /**
   * The times at which people commit.
   *
   * @param first time of the oldest commit; {@code last} is that of the newest one; 1970 if there
   *     is none
   * @param medianGap median time between neighboring commits, in seconds
   * @param gaps number of commits within each {@link CommitGap} after the previous commit; ranges
   *     with 0 commits are absent
   * @param hours commits in each hour of the week, from Monday 0:00 by the authors' own clocks
   */
  public record Rhythm(
      Instant first,
      Instant last,
      long medianGap,
      Map<CommitGap, Integer> gaps,
      List<Integer> hours) {}
}
