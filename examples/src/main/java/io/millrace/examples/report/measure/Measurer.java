package io.millrace.examples.report.measure;

import io.millrace.examples.report.git.CommitFacts;
import io.millrace.examples.report.git.LineCounts;
import io.millrace.examples.report.measure.Measures.Author;
import io.millrace.examples.report.measure.Measures.Folder;
import io.millrace.examples.report.measure.Measures.Totals;
import io.millrace.examples.report.measure.Measures.Week;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A meter that takes commits in any order and measures them. */
public final class Measurer {

  static final int MAX_FOLDERS = 12;
  static final int MAX_AUTHORS = 12;

  /**
   * Earliest believable date. Git is younger, but histories were imported from systems as old as
   * this.
   */
  private static final Instant EARLIEST = Instant.parse("1975-01-01T00:00:00Z");

  private final Instant latest;
  private final RhythmMeter rhythm = new RhythmMeter();
  private final Map<String, Person> people = new HashMap<>();
  private final Map<LocalDate, WeekMeter> weeks = new TreeMap<>();
  private final Map<String, LineCounts> folders = new TreeMap<>();
  private LineCounts lineCounts = LineCounts.NONE;
  private long commits;
  private long merges;
  private long undated;
  private long uncounted;

  private static final class WeekMeter {
    private int commits;
    private final Set<Person> authors = new HashSet<>();
    private LineCounts lineCounts = LineCounts.NONE;
  }

  private static final class Person {
    private int commits;
    private String name = "";
    private long named = Long.MIN_VALUE;
    private LocalDate first = LocalDate.MAX;
    private LocalDate last = LocalDate.MIN;
  }

  /**
   * @param now current time; commits more than a day ahead of it count as undated
   */
  public Measurer(Instant now) {
    latest = now.plusSeconds(86_400);
  }

  /** Adds one commit. */
  public void add(CommitFacts commit) {
    commits++;
    uncounted += commit.uncounted();
    if (commit.kind() == CommitFacts.Kind.MERGE) {
      merges++;
    }
    LineCounts changed = commit.churn().values().stream().reduce(LineCounts.NONE, LineCounts::plus);
    lineCounts = lineCounts.plus(changed);
    commit.churn().forEach((folder, churn) -> folders.merge(folder, churn, LineCounts::plus));
    Person author = people.computeIfAbsent(commit.author().email(), email -> new Person());
    author.commits++;
    if (commit.time() >= author.named) {
      author.named = commit.time();
      author.name = commit.author().name();
    }
    if (isDated(commit)) {
      addDated(commit, author, changed);
    } else {
      undated++;
    }
  }

  private boolean isDated(CommitFacts commit) {
    return commit.time() >= EARLIEST.getEpochSecond() && commit.time() <= latest.getEpochSecond();
  }

  private void addDated(CommitFacts commit, Person author, LineCounts changed) {
    LocalDateTime local =
        LocalDateTime.ofEpochSecond(commit.time() + commit.offset() * 60L, 0, ZoneOffset.UTC);
    LocalDate day = local.toLocalDate();
    author.first = day.isBefore(author.first) ? day : author.first;
    author.last = day.isAfter(author.last) ? day : author.last;
    LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    WeekMeter week = weeks.computeIfAbsent(monday, m -> new WeekMeter());
    week.commits++;
    week.authors.add(author);
    week.lineCounts = week.lineCounts.plus(changed);
    rhythm.add(commit.time(), local);
  }

  /** Returns the measures of all added commits. */
  public Measures measures() {
    return new Measures(
        new Totals(commits, merges, people.size(), lineCounts, undated, uncounted),
        weeks(),
        topFolders(),
        topAuthors(),
        rhythm.rhythm());
  }

  private List<Week> weeks() {
    List<Week> list = new ArrayList<>();
    weeks.forEach((monday, week) ->
        list.add(new Week(monday, week.commits, week.authors.size(), week.lineCounts)));
    return list;
  }

  private List<Folder> topFolders() {
    List<Folder> all =
        folders.entrySet().stream()
            .map(folder -> new Folder(folder.getKey(), folder.getValue()))
            .sorted(Comparator.comparingLong((Folder f) -> -f.lines().total()))
            .toList();
    if (all.size() <= MAX_FOLDERS) {
      return all;
    }
    List<Folder> top = new ArrayList<>(all.subList(0, MAX_FOLDERS - 1));
    List<Folder> others = all.subList(MAX_FOLDERS - 1, all.size());
    LineCounts rest = others.stream().map(Folder::lines).reduce(LineCounts.NONE, LineCounts::plus);
    top.add(new Folder(others.size() + " other folders", rest));
    return top;
  }

  private List<Author> topAuthors() {
    return people.values().stream()
        .filter(person -> !person.first.equals(LocalDate.MAX))
        .sorted(
            Comparator.comparingInt((Person person) -> -person.commits)
                .thenComparing(person -> person.name))
        .limit(MAX_AUTHORS)
        .map(person -> new Author(person.name, person.commits, person.first, person.last))
        .toList();
  }
}
