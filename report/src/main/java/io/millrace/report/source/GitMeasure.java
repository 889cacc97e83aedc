package io.millrace.report.source;

import io.millrace.report.source.GitCommit.Lines;
import io.millrace.schedule.DataWindow;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Measure of the commits of a window. Merges are never counted. */
enum GitMeasure {
  /** One row: {@code commits, authors, files, added, removed, changed}. */
  TOTALS {
    @Override
    ResultTable table(List<GitCommit> commits, DataWindow window, ZoneId zone) {
      Sum sum = new Sum();
      commits.forEach(sum::add);
      return new ResultTable(
          List.of("commits", "authors", "files", "added", "removed", "changed"),
          List.of(
              List.of(
                  (Object) sum.commits,
                  sum.authors.size(),
                  sum.files.size(),
                  sum.lines.added(),
                  sum.lines.removed(),
                  sum.lines.total())));
    }
  },

  /** A row for each day of the window, idle days too: the columns of the totals after the day. */
  BY_DAY {
    @Override
    ResultTable table(List<GitCommit> commits, DataWindow window, ZoneId zone) {
      Map<String, Sum> days = new LinkedHashMap<>();
      LocalDate first =
          commits.stream()
              .map(c -> LocalDate.ofInstant(c.time(), zone))
              .min(Comparator.naturalOrder())
              .orElse(LocalDate.MAX);
      List<LocalDate> all = WindowDays.of(window, zone);
      // A window that starts long before the repository does not begin with years of empty days.
      boolean idleStart = all.size() > MAX_IDLE_DAYS;
      all.stream()
          .filter(day -> !idleStart || !day.isBefore(first))
          .forEach(day -> days.put(day.toString(), new Sum()));
      return sums("day", days, commits, c -> LocalDate.ofInstant(c.time(), zone).toString());
    }
  },

  /** A row for each author, the busiest first. */
  BY_AUTHOR {
    @Override
    ResultTable table(List<GitCommit> commits, DataWindow window, ZoneId zone) {
      return busiestFirst(sums("author", new TreeMap<>(), commits, GitCommit::author));
    }
  },

  /** A row for each file, most commits first, then most lines: {@code file, commits, changed}. */
  BY_FILE {
    @Override
    ResultTable table(List<GitCommit> commits, DataWindow window, ZoneId zone) {
      Map<String, Integer> counts = new TreeMap<>();
      Map<String, Lines> lines = new TreeMap<>();
      for (GitCommit commit : commits) {
        commit
            .files()
            .forEach((file, own) -> {
              counts.merge(file, 1, Integer::sum);
              lines.merge(file, own, Lines::plus);
            });
      }
      List<List<Object>> rows = new ArrayList<>();
      counts.forEach((file, count) ->
          rows.add(List.of(file, count, lines.getOrDefault(file, Lines.NONE).total())));
      rows.sort(descending(1).thenComparing(descending(2)));
      return new ResultTable(List.of("file", "commits", "changed"), List.copyOf(rows));
    }
  },

  /** A row for each commit, most changed lines first. */
  LARGEST_COMMITS {
    @Override
    ResultTable table(List<GitCommit> commits, DataWindow window, ZoneId zone) {
      List<List<Object>> rows = new ArrayList<>();
      for (GitCommit commit : commits) {
        rows.add(
            List.of(
                commit.id().substring(0, 8),
                commit.subject(),
                commit.author(),
                LocalDate.ofInstant(commit.time(), zone).toString(),
                commit.files().size(),
                commit.lines().total()));
      }
      rows.sort(descending(5));
      return new ResultTable(
          List.of("commit", "subject", "author", "day", "files", "changed"), List.copyOf(rows));
    }
  };

  private static final int MAX_IDLE_DAYS = 400;

  /** Totals of some commits. */
  private static final class Sum {
    private int commits;
    private Lines lines = Lines.NONE;
    private final TreeSet<String> authors = new TreeSet<>();
    private final TreeSet<String> files = new TreeSet<>();

    private void add(GitCommit commit) {
      commits++;
      lines = lines.plus(commit.lines());
      authors.add(commit.author());
      files.addAll(commit.files().keySet());
    }
  }

  abstract ResultTable table(List<GitCommit> commits, DataWindow window, ZoneId zone);

  private static ResultTable sums(
      String key, Map<String, Sum> sums, List<GitCommit> commits, Function<GitCommit, String> of) {
    commits.forEach(c -> sums.computeIfAbsent(of.apply(c), k -> new Sum()).add(c));
    List<List<Object>> rows = new ArrayList<>();
    sums.forEach((name, sum) ->
        rows.add(
            List.of(
                name,
                sum.commits,
                sum.authors.size(),
                sum.files.size(),
                sum.lines.added(),
                sum.lines.removed(),
                sum.lines.total())));
    return new ResultTable(
        List.of(key, "commits", "authors", "files", "added", "removed", "changed"),
        List.copyOf(rows));
  }

  private static ResultTable busiestFirst(ResultTable table) {
    List<List<Object>> rows = new ArrayList<>();
    table.rows().forEach(row -> rows.add(List.copyOf(row)));
    rows.sort(descending(1).thenComparing(descending(6)));
    return new ResultTable(table.columns(), List.copyOf(rows));
  }

  private static Comparator<List<Object>> descending(int column) {
    return Comparator.comparingLong((List<Object> row) -> ((Number) row.get(column)).longValue())
        .reversed();
  }
}
