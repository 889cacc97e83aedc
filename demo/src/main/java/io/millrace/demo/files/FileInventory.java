package io.millrace.demo.files;

import io.millrace.redis.ServedFlow;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The flow {@code file-inventory}: it hashes, measures and records each file of a folder. Binary
 * files and files with very long lines cannot be measured, so their jobs become dead jobs.
 */
public final class FileInventory {

  public static final String NAME = "file-inventory";

  private static final int MAX_FILES = 2_000;
  private static final long LARGEST = 4 << 20;
  private static final int MAX_LINE = 400;
  private static final Set<String> PASSED_OVER =
      Set.of("target", "node_modules", "dist", "data", "out", "output");

  private final Path folder;
  private final int most;
  private final AtomicLong recorded = new AtomicLong();

  /** Creates an inventory of the files below a folder. */
  public FileInventory(Path folder) {
    this(folder, MAX_FILES);
  }

  /**
   * Creates an inventory of the files below a folder.
   *
   * @param most maximum number of files to choose from a folder with more of them
   */
  FileInventory(Path folder, int most) {
    this.folder = folder.toAbsolutePath().normalize();
    this.most = most;
  }

  /** Returns the flow with its three queues. */
  public static Flow flow() {
    return Flow.of(
            NAME,
            Queue.of("hash").fields("path").next("measure"),
            Queue.of("measure").fields("path").next("record"),
            Queue.of("record").fields("path", "sha256", "bytes", "lines"))
        .lookup("path", "extension");
  }

  /** Returns the flow with its workers. */
  public ServedFlow work() {
    return ServedFlow.of(flow())
        .serve("hash", 4, this::hash)
        .serve("measure", 4, this::measure)
        .serve("record", 1, this::record);
  }

  /**
   * Returns a job for each chosen file; a file has at most one job at a time. A folder with too
   * many files is represented by files of each extension, and the choice depends on their paths
   * alone.
   */
  public List<NewJob> jobs() throws IOException {
    return chosen().stream()
        .map(path -> NewJob.of(Map.of("path", path, "extension", extension(path))).uniqueKey(path))
        .toList();
  }

  private List<String> chosen() throws IOException {
    Map<String, Deque<String>> byExtension = new TreeMap<>();
    // An order that depends on the path, but not on the folder.
    paths().stream()
        .sorted(Comparator.comparing(FileInventory::digest).thenComparing(path -> path))
        .forEach(path ->
            byExtension.computeIfAbsent(extension(path), none -> new ArrayDeque<>()).add(path));
    List<String> chosen = new ArrayList<>();
    while (chosen.size() < most && !byExtension.isEmpty()) {
      for (Deque<String> paths : byExtension.values()) {
        if (chosen.size() < most) {
          chosen.add(paths.remove());
        }
      }
      byExtension.values().removeIf(Deque::isEmpty);
    }
    return chosen;
  }

  private List<String> paths() throws IOException {
    List<String> paths = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
            return entered.equals(folder) || !isPassedOver(entered)
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && attributes.size() <= LARGEST && !isPassedOver(file)) {
              paths.add(folder.relativize(file).toString());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return paths;
  }

  private static boolean isPassedOver(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(".") || PASSED_OVER.contains(name);
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot + 1) : "none";
  }

  private Path file(Job job) {
    Path file = folder.resolve(job.get("path", String.class)).normalize();
    if (!file.startsWith(folder)) {
      throw new IllegalArgumentException(file + " is not below " + folder);
    }
    return file;
  }

  private JobResult hash(Job job) throws IOException {
    byte[] bytes = Files.readAllBytes(file(job));
    return JobResult.of("sha256", hex(bytes)).with("bytes", bytes.length);
  }

  private static String digest(String path) {
    return hex(path.getBytes(StandardCharsets.UTF_8));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(sha256(bytes));
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private JobResult measure(Job job) throws IOException {
    return measure(file(job));
  }

  static JobResult measure(Path file) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      int longest = lines.stream().mapToInt(String::length).max().orElse(0);
      if (longest > MAX_LINE) {
        throw new IOException(
            "%s has a line of %s characters; at most %s can be measured"
                .formatted(file.getFileName(), longest, MAX_LINE));
      }
      return JobResult.of("lines", lines.size()).with("longestLine", longest);
    } catch (CharacterCodingException e) {
      throw new IOException(file.getFileName() + " is not text in UTF-8, so it has no lines", e);
    }
  }

  private JobResult record(Job job) {
    String summary =
        job.get("bytes", Long.class) + " bytes, " + job.get("lines", Long.class) + " lines";
    return JobResult.of("summary", summary).with("number", recorded.incrementAndGet()).done();
  }

  /** Returns the number of files that this process has recorded. */
  long recorded() {
    return recorded.get();
  }
}
