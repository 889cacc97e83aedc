package io.millrace.sequence;

import io.millrace.codec.TypeRef;
import io.millrace.definition.CancelToken;
import io.millrace.definition.CancelledException;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a task outside the engine, with the state that is kept between attempts. It is in
 * this package because failures of chunks can be created only here.
 */
public final class FakeTaskContext implements TaskContext {

  private static final Jackson3Codec CODEC = new Jackson3Codec();

  private final long executionId;
  private final DataWindow window;
  private final Map<String, Object> parameters;
  private final Map<String, String> stored = new HashMap<>();
  private final Map<String, String> passed = new HashMap<>();
  private final List<String> executedChunks = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-23T06:00:00Z");
  private int attempt = 1;
  private String statusLog = "";

  public FakeTaskContext(long executionId, DataWindow window, Map<String, Object> parameters) {
    this.executionId = executionId;
    this.window = window;
    this.parameters = parameters;
  }

  /** Starts the next attempt. */
  public FakeTaskContext retry() {
    attempt++;
    executedChunks.clear();
    return this;
  }

  /** Returns the chunks that this attempt has run. */
  public List<String> executedChunks() {
    return executedChunks;
  }

  public String statusLog() {
    return statusLog;
  }

  public FakeTaskContext now(Instant time) {
    now = time;
    return this;
  }

  @Override
  public long executionId() {
    return executionId;
  }

  @Override
  public String sequenceId() {
    return "Report_1";
  }

  @Override
  public String sequenceType() {
    return "Report";
  }

  @Override
  public String taskName() {
    return "TASK";
  }

  @Override
  public int taskId() {
    return 7;
  }

  @Override
  public int position() {
    return 1;
  }

  @Override
  public int nextTaskId() {
    return -1;
  }

  @Override
  public DataWindow window() {
    return window;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public boolean isRetry() {
    return attempt > 1;
  }

  @Override
  public String message() {
    return "{}";
  }

  @Override
  public <T> Optional<T> parameter(String name, TypeRef<T> type) {
    return Optional.ofNullable(parameters.get(name)).map(v -> CODEC.decode(CODEC.encode(v), type));
  }

  @Override
  public <T> Optional<T> result(String name, TypeRef<T> type) {
    return Optional.ofNullable(passed.get(name)).map(json -> CODEC.decode(json, type));
  }

  @Override
  public void setResult(String name, Object value) {
    passed.put(name, CODEC.encode(value));
  }

  @Override
  public void statusLog(String text) {
    statusLog = text;
  }

  @Override
  public <T> T once(String name, TypeRef<T> type, Callable<T> work) throws Exception {
    String known = stored.get("once " + name);
    if (known == null) {
      known = CODEC.encode(work.call());
      stored.put("once " + name, known);
    }
    return CODEC.decode(known, type);
  }

  @Override
  public <T> List<T> chunks(TypeRef<T> type, List<Chunk<T>> chunks) {
    Map<String, Throwable> failures = new LinkedHashMap<>();
    List<T> results = new ArrayList<>();
    for (Chunk<T> chunk : chunks) {
      try {
        String known = stored.get("chunk " + chunk.name());
        if (known == null) {
          executedChunks.add(chunk.name());
          known = CODEC.encode(chunk.work().call());
          stored.put("chunk " + chunk.name(), known);
        }
        results.add(CODEC.decode(known, type));
      } catch (Exception e) {
        failures.put(chunk.name(), e);
      }
    }
    if (!failures.isEmpty()) {
      throw new ChunksFailedException(chunks.size(), failures);
    }
    return results;
  }

  @Override
  public void progress(long done, long total, @Nullable String text) {}

  @Override
  public CancelToken cancelToken() {
    return new CancelToken() {
      @Override
      public boolean isCancelled() {
        return false;
      }

      @Override
      public void onCancel(Runnable action) {}

      @Override
      public void throwIfCancelled() throws CancelledException {}
    };
  }

  @Override
  public String idempotencyKey() {
    return executionId + "-TASK";
  }

  @Override
  public Instant now() {
    return now;
  }
}
