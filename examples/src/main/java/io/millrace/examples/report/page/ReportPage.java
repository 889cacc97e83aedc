package io.millrace.examples.report.page;

import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.examples.report.measure.Measures;
import io.millrace.examples.report.measure.Measures.Totals;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** The report as one HTML file, which is well-formed XML and loads no other file. */
public final class ReportPage {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm 'UTC'", Locale.ENGLISH);

  private final ReportSubject reportSubject;
  private final Measures measures;

  private ReportPage(ReportSubject reportSubject, Measures measures) {
    this.reportSubject = reportSubject;
    this.measures = measures;
  }

  /** Returns the page. */
  public static String write(ReportSubject reportSubject, Measures measures) {
    return new ReportPage(reportSubject, measures).page();
  }

  /** Returns the line that marks a page as the report on the repository with this key. */
  public static String mark(String key) {
    return "<meta name=\"millrace-repository\" content=\"" + Html.escape(key) + "\"/>";
  }

  private String page() {
    return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"/>
    %s
    <title>%s: repository report</title>
    <style>
    %s</style>
    </head>
    <body>
    %s%s%s</body>
    </html>
    """
        .formatted(
            mark(reportSubject.key()),
            Html.escape(reportSubject.name()),
            css(),
            header(),
            main(),
            footer());
  }

  private String header() {
    return """
    <header>
    <p class="kicker">Repository report</p>
    <h1>%s</h1>
    <p class="lead">%s</p>
    %s</header>
    """
        .formatted(Html.escape(reportSubject.name()), lead(), notes());
  }

  private String lead() {
    String commit =
        reportSubject
            .head()
            .commit()
            .substring(0, Math.min(10, reportSubject.head().commit().length()));
    return "History of <code>%s</code> up to commit <code>%s</code>, %s."
        .formatted(Html.escape(reportSubject.head().branch()), Html.escape(commit), period());
  }

  private String period() {
    if (measures.weeks().isEmpty()) {
      return "without any dates";
    }
    String first = HumanFormat.day(day(measures.rhythm().first()));
    String last = HumanFormat.day(day(measures.rhythm().last()));
    return first.equals(last) ? "all of it from " + first : "from " + first + " to " + last;
  }

  private String notes() {
    List<String> notes = new ArrayList<>(reportSubject.notes());
    if (measures.totals().undated() > 0) {
      notes.add(
          "Dates that cannot be true: "
              + HumanFormat.count(measures.totals().undated(), "commit")
              + ". They are missing from everything about time.");
    }
    return notes.isEmpty()
        ? ""
        : notes.stream()
            .map(note -> "<li>" + Html.escape(note) + "</li>\n")
            .collect(Collectors.joining("", "<ul class=\"notes\">\n", "</ul>\n"));
  }

  private String main() {
    return "<main>\n"
        + tiles()
        + overTime()
        + PageTables.folders(measures)
        + rhythm()
        + "</main>\n";
  }

  private String tiles() {
    Totals totals = measures.totals();
    return "<dl class=\"tiles\">\n"
        + tile(
            "Commits",
            HumanFormat.number(totals.commits()),
            HumanFormat.count(totals.merges(), "merge"))
        + tile("Authors", HumanFormat.number(totals.authors()), "by e-mail address")
        + tile("Lines changed", HumanFormat.abbreviate(totals.lines().total()), changed(totals))
        + tile("Median gap", median(), "between commits")
        + tile(
            "Active weeks",
            HumanFormat.number(measures.weeks().size()),
            "of " + HumanFormat.number(span()))
        + "</dl>\n";
  }

  private static String changed(Totals totals) {
    return "<b class=\"plus\">+%s</b> <b class=\"minus\">−%s</b>"
        .formatted(
            HumanFormat.abbreviate(totals.lines().added()),
            HumanFormat.abbreviate(totals.lines().removed()));
  }

  private static String tile(String name, String number, String more) {
    return "<div><dt>%s</dt><dd class=\"number\">%s</dd><dd class=\"more\">%s</dd></div>\n"
        .formatted(name, number, more);
  }

  private String median() {
    return measures.median().map(HumanFormat::duration).orElse("–");
  }

  private long span() {
    if (measures.weeks().isEmpty()) {
      return 0;
    }
    LocalDate first = measures.weeks().getFirst().monday();
    LocalDate last = measures.weeks().getLast().monday();
    return ChronoUnit.WEEKS.between(first, last) + 1;
  }

  private String overTime() {
    if (measures.weeks().isEmpty()) {
      return "";
    }
    List<Measures.Week> weeks = measures.weeks();
    String hint =
        WeekChart.hasTrend(weeks) ? "The line is the average of 13 weeks." : "One bar per week.";
    return section(
            "Commits per week",
            hint,
            WeekChart.draw(weeks, Measures.Week::commits, "commit", "first")
                + PageTables.years(weeks))
        + section(
            "Active authors per week",
            hint,
            WeekChart.draw(weeks, Measures.Week::authors, "author", "second"));
  }

  private String rhythm() {
    if (measures.weeks().isEmpty()) {
      return "";
    }
    List<Integer> hours = measures.rhythm().hours();
    String grid =
        section(
            "Busiest hours",
            "By the authors' own clocks. Busiest: "
                + HourGrid.busiest(hours)
                + ". Sums at the right.",
            HourGrid.draw(hours));
    return grid
        + "<div class=\"pair\">\n"
        + PageTables.authors(measures)
        + PageTables.gaps(measures)
        + "</div>\n";
  }

  private static String section(String title, String hint, String chart) {
    return """
    <section>
    <h2>%s</h2>
    <p class="hint">%s</p>
    <div class="scroll">
    %s</div>
    </section>
    """
        .formatted(title, hint, chart);
  }

  private String footer() {
    long kept = measures.totals().commits() - reportSubject.collected();
    String source =
        kept == 0
            ? "Run %s collected all %s."
                .formatted(
                    reportSubject.run(), HumanFormat.count(reportSubject.collected(), "commit"))
            : "Run %s collected %s; %s from earlier runs were kept."
                .formatted(
                    reportSubject.run(),
                    HumanFormat.count(reportSubject.collected(), "new commit"),
                    HumanFormat.number(kept));
    return """
    <footer>
    <p>%s Made by the workflow <code>repository-report</code> of Millrace on
    <time id="made" datetime="%s">%s</time>.</p>
    <p>Lines of a merge count where they were written, a renamed file counts as removed and added,
    and binary files have no lines%s.</p>
    </footer>
    """
        .formatted(
            source,
            reportSubject.made(),
            TIME.format(reportSubject.made().atOffset(ZoneOffset.UTC)),
            uncounted());
  }

  private String uncounted() {
    long files = measures.totals().uncounted();
    return files == 0
        ? ""
        : ", and "
            + HumanFormat.count(files, "changed file")
            + " were too large or are missing, so their lines are not counted";
  }

  private static LocalDate day(Instant instant) {
    return LocalDate.ofInstant(instant, ZoneOffset.UTC);
  }

  private static String css() {
    try (InputStream file =
        Objects.requireNonNull(ReportPage.class.getResourceAsStream("report.css"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
