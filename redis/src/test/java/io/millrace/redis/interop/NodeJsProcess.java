package io.millrace.redis.interop;

import io.millrace.redis.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process of Node.js with the unmodified package {@code @guildxyz/queues}, controlled by lines of
 * JSON; {@code src/test/node/driver.cjs} describes the commands.
 */
public final class NodeJsProcess implements AutoCloseable {

  private static final Path FOLDER = Path.of("src", "test", "node").toAbsolutePath();

  private final JsonMapper json = JsonMapper.shared();
  private final Process process;
  private final Writer commands;
  private final Thread reader;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new ArrayList<>();

  private NodeJsProcess(Process process) {
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.reader = Thread.ofVirtual().name("node-" + process.pid()).start(this::read);
  }

  /** Starts a process that is ready for commands. */
  public static NodeJsProcess start(String redisUri) {
    if (!Files.exists(FOLDER.resolve("node_modules/@guildxyz/queues/package.json"))) {
      throw new AssertionError(
          "The npm package @guildxyz/queues is missing, which these tests need: run npm ci in "
              + FOLDER
              + ", or script/test, which does that");
    }
    try {
      NodeJsProcess node =
          new NodeJsProcess(
              new ProcessBuilder("node", "driver.cjs", redisUri)
                  .directory(FOLDER.toFile())
                  .redirectError(ProcessBuilder.Redirect.DISCARD)
                  .start());
      node.await("ready", event -> event.path("event").asString("").equals("ready"));
      return node;
    } catch (IOException e) {
      throw new AssertionError("Node.js does not start: put node 20.19 or newer on PATH", e);
    }
  }

  /** Executes a command and waits for its answer. */
  public JsonNode call(String command, Map<String, ?> arguments) {
    try {
      return send(command, arguments).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(command + ": " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new AssertionError(command + " was not answered within " + Patience.LIMIT, e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a command; its answer fails if the process ends first. */
  public CompletableFuture<JsonNode> send(String command, Map<String, ?> arguments) {
    long id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    open.put(id, answer);
    Map<String, Object> line = new LinkedHashMap<>(arguments);
    line.put("id", id);
    line.put("do", command);
    synchronized (commands) {
      try {
        commands.write(json.writeValueAsString(line) + "\n");
        commands.flush();
      } catch (IOException e) {
        open.remove(id);
        answer.completeExceptionally(e);
      }
    }
    if (!reader.isAlive()) {
      failOpen();
    }
    return answer;
  }

  /** Returns the first event of a kind, including events that have already happened. */
  public JsonNode await(String what, Predicate<JsonNode> kind) {
    return await(what, 1, kind).getFirst();
  }

  /** Waits until there were a number of events of a kind, and returns all of them. */
  public List<JsonNode> await(String what, int count, Predicate<JsonNode> kind) {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    synchronized (events) {
      while (true) {
        List<JsonNode> found = events.stream().filter(kind).toList();
        if (found.size() >= count) {
          return found;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0 || !reader.isAlive()) {
          throw new AssertionError(
              "Node did not tell " + count + " times '" + what + "'; it told " + events);
        }
        try {
          events.wait(Math.min(left, 200));
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  /** Waits for the start of a job in a queue, and returns the event. */
  public JsonNode awaitJob(String queue, String id) {
    return await("job " + id, event -> isJob(queue, event) && id.equals(jobId(event)));
  }

  /** Returns the id of the first job that is started in a queue. */
  public String awaitJob(String queue) {
    return jobId(await("any job", event -> isJob(queue, event)));
  }

  /** Returns the ids of the jobs that were started in a queue, in their order. */
  public List<String> jobs(String queue) {
    return events(event -> isJob(queue, event)).stream().map(NodeJsProcess::jobId).toList();
  }

  /** Returns the lines of the package's logger that contain a text. */
  public List<JsonNode> logs(String text) {
    return events(event ->
        event.path("event").asString("").equals("log")
            && event.path("message").asString("").contains(text));
  }

  /** Returns all events of a kind that have happened so far. */
  public List<JsonNode> events(Predicate<JsonNode> kind) {
    readUntilNow();
    synchronized (events) {
      return events.stream().filter(kind).toList();
    }
  }

  /** Kills the process, like {@code kill -9}; its output is read to the end. */
  public void kill() {
    // The process's own method would close its output.
    process.toHandle().destroyForcibly();
    awaitEnd();
  }

  /** Waits until it has ended by itself or by {@code kill}; returns its exit code. */
  public int awaitEnd() {
    try {
      if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("Node.js did not end within " + Patience.LIMIT);
      }
      reader.join(Patience.LIMIT);
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    kill();
  }

  /**
   * Reads the output until now: the process writes it before the answer. If the process has ended,
   * reads all.
   */
  private void readUntilNow() {
    try {
      send("answer", Map.of()).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      awaitEnd();
    } catch (TimeoutException e) {
      throw new AssertionError("Node.js does not answer, though it runs", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isJob(String queue, JsonNode event) {
    return event.path("event").asString("").equals("job")
        && event.path("queue").asString("").equals(queue);
  }

  private static String jobId(JsonNode event) {
    return event.path("job").path("id").asString("");
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        accept(json.readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      failOpen();
    }
  }

  private void accept(JsonNode line) {
    if (line.has("event")) {
      synchronized (events) {
        events.add(line);
        events.notifyAll();
      }
      return;
    }
    CompletableFuture<JsonNode> answer = open.remove(line.get("id").asLong());
    if (answer == null) {
      throw new AssertionError("Node answered what was not asked: " + line);
    }
    if (line.has("error")) {
      answer.completeExceptionally(new AssertionError(line.get("error").asString()));
    } else {
      answer.complete(line.get("ok"));
    }
  }

  private void failOpen() {
    open.keySet()
        .forEach(id -> {
          CompletableFuture<JsonNode> answer = open.remove(id);
          if (answer != null) {
            answer.completeExceptionally(new AssertionError("The process of Node.js has ended"));
          }
        });
  }
}
