package io.millrace.examples.report.page;

import io.millrace.examples.report.git.CommitFacts;
import io.millrace.examples.report.git.LineCounts;
import io.millrace.examples.report.measure.CommitGap;
import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.examples.report.measure.Measures;
import io.millrace.examples.report.measure.Measures.Author;
import io.millrace.examples.report.measure.Measures.Folder;
import io.millrace.examples.report.measure.Measures.Week;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parts of the page that are tables, most of them with bars. */
final class PageTables {

  private static final String BAR = "";

  private PageTables() {}

  /** Returns the table of lines added and removed in each top folder. */
  static String folders(Measures measures) {
    List<Folder> folders = measures.folders();
    if (folders.isEmpty()) {
      return "";
    }
    long most = folders.stream().mapToLong(folder -> folder.lines().total()).max().orElse(1);
    return section(
        "Churn per top folder",
        "Lines <b class=\"plus\">added</b> and <b class=\"minus\">removed</b> over the history.",
        table(
            List.of("Folder", BAR, "Added", "Removed"),
            folders.stream().map(folder -> row(folder, most))));
  }

  private static String row(Folder folder, long most) {
    LineCounts lineCounts = folder.lines();
    String name = folder.name().equals(CommitFacts.TOP) ? "(top level)" : folder.name();
    return row(
        name,
        track(part("plus", lineCounts.added(), most) + part("minus", lineCounts.removed(), most)),
        HumanFormat.number(lineCounts.added()),
        HumanFormat.number(lineCounts.removed()));
  }

  /** Returns the table of the authors with the most commits. */
  static String authors(Measures measures) {
    List<Author> authors = measures.authors();
    int most = authors.stream().mapToInt(Author::commits).max().orElse(1);
    int others = measures.totals().authors() - authors.size();
    return section(
        "Most active authors",
        others > 0 ? "And " + HumanFormat.count(others, "other") + "." : "All of them.",
        table(
            List.of("Author", BAR, "Commits", "Share"),
            authors.stream().map(author -> row(author, most, measures.totals().commits()))));
  }

  private static String row(Author author, int most, long all) {
    return row(
        author.name(),
        track(part("second", author.commits(), most)),
        HumanFormat.number(author.commits()),
        HumanFormat.share(author.commits(), all));
  }

  /** Returns the table of times between neighboring commits. */
  static String gaps(Measures measures) {
    Map<CommitGap, Integer> gaps = measures.rhythm().gaps();
    int most = gaps.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    long all = gaps.values().stream().mapToLong(Integer::longValue).sum();
    return section(
        "Time between commits",
        "How long after the commit before, by anyone.",
        table(
            List.of("After", BAR, "Commits", "Share"),
            Stream.of(CommitGap.values())
                .map(commitGap -> row(commitGap, gaps.getOrDefault(commitGap, 0), most, all))));
  }

  private static String row(CommitGap commitGap, int commits, int most, long all) {
    return row(
        commitGap.words(),
        track(part("first", commits, most)),
        HumanFormat.number(commits),
        HumanFormat.share(commits, all));
  }

  /** Returns the weeks summed by year, as numbers. */
  static String years(List<Week> weeks) {
    Map<Integer, List<Week>> years =
        weeks.stream()
            .collect(
                Collectors.groupingBy(
                    week -> week.monday().plusDays(3).getYear(),
                    TreeMap::new,
                    Collectors.toList()));
    List<String> columns =
        List.of("Year", "Commits", "Active weeks", "Most authors in a week", "Added", "Removed");
    return """
    <details>
    <summary>As a table by year</summary>
    %s</details>
    """
        .formatted(
            table(
                columns,
                years.entrySet().stream().map(year -> row(year.getKey(), year.getValue()))));
  }

  private static String row(int year, List<Week> weeks) {
    LineCounts lineCounts =
        weeks.stream().map(Week::lines).reduce(LineCounts.NONE, LineCounts::plus);
    return row(
        String.valueOf(year),
        number(weeks.stream().mapToLong(Week::commits).sum()),
        HumanFormat.number(weeks.size()),
        HumanFormat.number(weeks.stream().mapToInt(Week::authors).max().orElse(0)),
        HumanFormat.number(lineCounts.added()),
        HumanFormat.number(lineCounts.removed()));
  }

  private static String section(String title, String hint, String table) {
    return """
    <section>
    <h2>%s</h2>
    <p class="hint">%s</p>
    <div class="scroll">
    %s</div>
    </section>
    """
        .formatted(title, hint, table);
  }

  private static String table(List<String> columns, Stream<String> rows) {
    return """
    <table>
    <thead><tr>%s</tr></thead>
    <tbody>
    %s</tbody>
    </table>
    """
        .formatted(heads(columns), rows.collect(Collectors.joining()));
  }

  private static String heads(List<String> columns) {
    StringBuilder heads = new StringBuilder();
    for (String column : columns) {
      if (column.equals(BAR)) {
        heads.append("<td class=\"wide\"></td>");
      } else {
        String style = heads.isEmpty() ? "" : " class=\"n\"";
        heads.append("<th scope=\"col\"%s>%s</th>".formatted(style, column));
      }
    }
    return heads.toString();
  }

  /** Returns a row with a plain name, a cell of HTML, and plain numbers. */
  private static String row(String name, String cell, String... numbers) {
    String start = "<tr><th scope=\"row\"><bdi>" + Html.escape(name) + "</bdi></th>" + cell;
    return Stream.of(numbers)
        .map(PageTables::number)
        .collect(Collectors.joining("", start, "</tr>\n"));
  }

  private static String number(long number) {
    return number(HumanFormat.number(number));
  }

  private static String number(String number) {
    return "<td class=\"n\">" + Html.escape(number) + "</td>";
  }

  private static String track(String parts) {
    return "<td><div class=\"track\" aria-hidden=\"true\">" + parts + "</div></td>";
  }

  private static String part(String color, long value, long most) {
    double percent = 100.0 * value / Math.max(1, most);
    return String.format(
        Locale.ROOT, "<i class=\"%s\" style=\"width:%.2f%%\"></i>", color, percent);
  }
}
