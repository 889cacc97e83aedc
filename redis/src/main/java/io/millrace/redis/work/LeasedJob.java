package io.millrace.redis.work;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Job;
import io.millrace.redis.wire.JsText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The job that a handler sees. Texts are read when they are asked for. */
final class LeasedJob implements Job {

  static final String CORRELATION = "correlationId";

  /** What it needs of its surroundings. */
  interface Desk {
    void progress(Taken.Leased job, int percent, String note);
  }

  private final Lane lane;
  private final Held held;
  private final JsText json;
  private final Desk desk;

  LeasedJob(Lane lane, Held held, JsText json, Desk desk) {
    this.lane = lane;
    this.held = held;
    this.json = json;
    this.desk = desk;
  }

  /** One that no server knows, for tests of handlers. */
  static LeasedJob sample(Lane lane, Map<String, ?> fields, int attempt) {
    JsText json = JsText.standard();
    Map<String, String> texts = json.writeAll(fields);
    List<@Nullable String> values = new ArrayList<>();
    values.add(texts.get(CORRELATION));
    lane.queue().attributes().forEach(name -> values.add(texts.get(name)));
    Taken.Book book = new Taken.Book(attempt - 1, 0, "", "", 0);
    Held held = new Held(new Taken.Leased("sample", values, book, ""), 0);
    return new LeasedJob(lane, held, json, (job, percent, note) -> {});
  }

  @Override
  public String id() {
    return lane.id(held.leased().entry());
  }

  @Override
  public String flow() {
    return lane.flow();
  }

  @Override
  public String queue() {
    return lane.name();
  }

  @Override
  public Set<String> fields() {
    Set<String> there = new LinkedHashSet<>();
    for (String field : lane.queue().attributes()) {
      if (text(field) != null) {
        there.add(field);
      }
    }
    return there;
  }

  @Override
  public <T> Optional<T> get(String field, Class<T> type) {
    String text = text(field);
    return text == null ? Optional.empty() : Json.read(json, named(field), text, type);
  }

  @Override
  public <T> T need(String field, Class<T> type) {
    return get(field, type)
        .orElseThrow(() ->
            new InvalidRequestException(
                named(field) + " is missing, but the handler needs it as " + type.getName()));
  }

  @Override
  public <T> T as(Class<T> type) {
    String what = "job " + id();
    return Json.readAll(json, what, lane.queue().attributes(), values(), type)
        .orElseThrow(() -> new InvalidRequestException(what + " cannot be read as " + type));
  }

  private List<@Nullable String> values() {
    List<@Nullable String> texts = held.leased().texts();
    return texts.subList(1, texts.size());
  }

  private @Nullable String text(String field) {
    int at = lane.queue().attributes().indexOf(field);
    if (at < 0) {
      throw new InvalidRequestException(
          "Queue "
              + lane.name()
              + " does not read the field '"
              + field
              + "' of its jobs; it reads "
              + lane.queue().attributes()
              + ". Name it in Queue.attributes");
    }
    return values().get(at);
  }

  private String named(String field) {
    return "Field '" + field + "' of job " + id();
  }

  @Override
  public Optional<String> correlationId() {
    String text = held.leased().texts().getFirst();
    return text == null ? Optional.empty() : Json.plain(json, text);
  }

  @Override
  public int attempt() {
    return held.leased().book().attempts() + 1;
  }

  @Override
  public String idempotencyKey() {
    return lane.name() + ":" + id();
  }

  @Override
  public void progress(int percent, String note) {
    if (percent < 0 || percent > 100) {
      throw new InvalidRequestException(
          "The progress of job " + id() + " is " + percent + ", but must be 0 to 100");
    }
    desk.progress(held.leased(), percent, note);
  }

  @Override
  public boolean isCancelled() {
    return held.stop() != null;
  }
}
