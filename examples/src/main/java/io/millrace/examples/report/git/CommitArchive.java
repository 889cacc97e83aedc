package io.millrace.examples.report.git;

import io.millrace.codec.Codec;
import io.millrace.jackson3.Jackson3Codec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files with one repository's commits: for each run a plan, which lists the commits to collect,
 * and parts of collected commits. Writing a file again gives the same content, so a repeated step
 * does no harm.
 */
public final class CommitArchive {

  private static final int PLAN_LINE = 41; // a commit id and the line break

  private static final String PART = "-commits.json";

  private final Path folder;
  private final Codec codec = new Jackson3Codec();

  public CommitArchive(Path folder) {
    this.folder = folder;
  }

  /** Writes the list of commits that a run collects. */
  public void writePlan(int run, List<String> commits) throws IOException {
    AtomicFiles.write(
        plan(run), commits.stream().map(id -> id + "\n").collect(Collectors.joining()));
  }

  /** Returns a range of the commits in a run's plan. */
  public List<String> readPlan(int run, int from, int count) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(plan(run).toFile(), "r")) {
      byte[] lines = new byte[count * PLAN_LINE];
      file.seek((long) from * PLAN_LINE);
      file.readFully(lines);
      return new String(lines, StandardCharsets.US_ASCII).lines().toList();
    }
  }

  /** Writes a part of the commits that a run collects. */
  public void writePart(int run, int part, List<CommitFacts> commits) throws IOException {
    AtomicFiles.write(
        part(run, part),
        commits.stream().map(commit -> codec.encode(commit) + "\n").collect(Collectors.joining()));
  }

  /** True if the plan of a run exists. */
  public boolean hasPlan(int run) {
    return Files.isRegularFile(plan(run));
  }

  /** True if the first {@code count} parts of a run exist. */
  public boolean hasParts(int run, int count) {
    return IntStream.range(0, count).allMatch(part -> Files.isRegularFile(part(run, part)));
  }

  /** Passes all commits of a run's parts to {@code reader}. */
  public void readParts(int run, int count, Consumer<CommitFacts> reader) throws IOException {
    for (int part = 0; part < count; part++) {
      try (BufferedReader lines = Files.newBufferedReader(part(run, part))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          reader.accept(codec.decode(line, CommitFacts.class));
        }
      }
    }
  }

  /** Deletes all files of runs before {@code run} except the parts of the runs to keep. */
  public void deleteOldFiles(int run, Collection<Integer> kept) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      boolean earlier = name.compareTo(prefix(run)) < 0;
      boolean keep = name.endsWith(PART) && kept.stream().anyMatch(k -> name.startsWith(prefix(k)));
      if (earlier && !keep) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns the file in which a run keeps its page until it is published. */
  public Path draft(int run) {
    return folder.resolve(prefix(run) + "-report.html");
  }

  private Path plan(int run) {
    return folder.resolve(prefix(run) + "-plan.txt");
  }

  private Path part(int run, int part) {
    return folder.resolve(String.format(Locale.ROOT, "%s-%06d%s", prefix(run), part, PART));
  }

  private static String prefix(int run) {
    return String.format(Locale.ROOT, "run-%06d", run);
  }
}
