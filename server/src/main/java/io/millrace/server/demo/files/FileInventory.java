package io.millrace.server.demo.files;

import io.millrace.redis.FlowWork;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The flow {@code file-inventory}: each file of a folder is hashed, measured and recorded. Files
 * that are no text cannot be measured, and so become dead jobs to look at.
 */
public final class FileInventory {

  public static final String NAME = "file-inventory";

  private static final int MOST_FILES = 2_000;
  private static final long LARGEST = 4 << 20;
  private static final Set<String> PASSED_OVER =
      Set.of("target", "node_modules", "dist", "data", "out", "output");

  private final Path folder;
  private final AtomicLong recorded = new AtomicLong();

  /** Of the files below a folder. */
  public FileInventory(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** The three queues. */
  public static Flow flow() {
    return Flow.of(
            NAME,
            Queue.of("hash").attributes("path").next("measure"),
            Queue.of("measure").attributes("path").next("record"),
            Queue.of("record").attributes("path", "sha256", "bytes", "lines"))
        .lookup("path", "extension");
  }

  /** The flow with its workers. */
  public FlowWork work() {
    return FlowWork.of(flow())
        .serve("hash", 4, this::hash)
        .serve("measure", 4, this::measure)
        .serve("record", 1, this::record);
  }

  /** A job for each file; the same file has one job at a time. */
  public List<NewJob> jobs() throws IOException {
    List<NewJob> jobs = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(this::counts)
          .limit(MOST_FILES)
          .forEach(file -> {
            String path = folder.relativize(file).toString();
            jobs.add(NewJob.of(Map.of("path", path, "extension", extension(path))).uniqueKey(path));
          });
    }
    return jobs;
  }

  private boolean counts(Path file) {
    for (Path part : folder.relativize(file)) {
      if (part.toString().startsWith(".") || PASSED_OVER.contains(part.toString())) {
        return false;
      }
    }
    return Files.isRegularFile(file) && file.toFile().length() <= LARGEST;
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot + 1) : "none";
  }

  private Path file(Job job) {
    Path file = folder.resolve(job.need("path", String.class)).normalize();
    if (!file.startsWith(folder)) {
      throw new IllegalArgumentException(file + " is not below " + folder);
    }
    return file;
  }

  private JobResult hash(Job job) throws IOException {
    byte[] bytes = Files.readAllBytes(file(job));
    return JobResult.of("sha256", HexFormat.of().formatHex(sha256(bytes)))
        .with("bytes", bytes.length);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private JobResult measure(Job job) throws IOException {
    Path file = file(job);
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      int longest = lines.stream().mapToInt(String::length).max().orElse(0);
      return JobResult.of("lines", lines.size()).with("longestLine", longest);
    } catch (CharacterCodingException e) {
      throw new IOException(file.getFileName() + " is no text in UTF-8, so it has no lines", e);
    }
  }

  private JobResult record(Job job) {
    String summary =
        job.need("bytes", Long.class) + " bytes, " + job.need("lines", Long.class) + " lines";
    return JobResult.of("summary", summary).with("number", recorded.incrementAndGet()).done();
  }

  /** How many this process has recorded. */
  long recorded() {
    return recorded.get();
  }
}
