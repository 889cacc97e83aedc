package io.millrace.continuous;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.continuous.RecycleSettings.Daily;
import io.millrace.continuous.RecycleSettings.HeapLimit;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyValue;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.store.AuditStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.Store;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When the nodes of an executor group begin anew by themselves: as the engine was built to, until
 * somebody says otherwise for all of them. Every engine that was built to recycle its node heeds
 * that with its next look, within a minute. Thread-safe; every call asks the database.
 */
public final class RecycleSettingsService {

  /** The group of keys in which it is kept; the keys are the executor groups. */
  public static final String KEYS = "millrace-recycle";

  private final String group;
  private final Store store;
  private final Codec codec;
  private final RecycleSettings usual;

  /**
   * @param usual what counts until somebody says otherwise
   */
  public RecycleSettingsService(String group, Store store, Codec codec, RecycleSettings usual) {
    this.group = group;
    this.store = store;
    this.codec = codec;
    this.usual = usual;
  }

  /**
   * What counts.
   *
   * @param since when somebody said so; null when nobody has
   */
  public record EffectiveSettings(RecycleSettings settings, @Nullable Instant since) {

    /** The windows in which nodes begin anew, for ever, the first that has not ended at first. */
    public Stream<Window> windows(Instant now) {
      Daily daily = settings.daily();
      if (!settings.enabled() || daily == null) {
        return Stream.empty();
      }
      // A window may have begun on the date before, and with another offset.
      LocalDate first = LocalDate.ofInstant(now, daily.zone()).minusDays(2);
      return Stream.iterate(first, date -> date.plusDays(1))
          .map(date -> Window.of(daily, date))
          .filter(one -> one.until().isAfter(now))
          .filter(one -> since == null || !one.from().isBefore(since));
    }

    /** The next that has not begun. */
    public Optional<Window> next(Instant now) {
      return windows(now).filter(one -> one.from().isAfter(now)).findFirst();
    }
  }

  /** A time over which the nodes are spread. */
  public record Window(ZonedDateTime begins, Duration length) {

    static Window of(Daily daily, LocalDate date) {
      return new Window(ZonedDateTime.of(date, daily.at(), daily.zone()), daily.window());
    }

    public Instant from() {
      return begins.toInstant();
    }

    /** A second later at least, so that it is there to be seen. */
    public Instant until() {
      return from().plus(length.isZero() ? Duration.ofSeconds(1) : length);
    }
  }

  /** As it is kept. */
  private record Kept(
      boolean enabled,
      @Nullable LocalTime at,
      @Nullable ZoneId zone,
      long windowSeconds,
      @Nullable Long maxAgeSeconds,
      @Nullable Integer memoryPercent) {

    static Kept of(RecycleSettings settings) {
      Daily daily = settings.daily();
      Duration age = settings.maxAge();
      HeapLimit heapLimit = settings.memory();
      return new Kept(
          settings.enabled(),
          daily == null ? null : daily.at(),
          daily == null ? null : daily.zone(),
          daily == null ? 0 : daily.window().toSeconds(),
          age == null ? null : age.toSeconds(),
          heapLimit == null ? null : heapLimit.percent());
    }

    RecycleSettings over(RecycleSettings usual) {
      Daily daily =
          at == null || zone == null
              ? null
              : new Daily(at, zone, Duration.ofSeconds(windowSeconds));
      Duration age = maxAgeSeconds == null ? null : Duration.ofSeconds(maxAgeSeconds);
      return new RecycleSettings(enabled, daily, age, usual.memory(), usual.request())
          .heapPercent(memoryPercent);
    }
  }

  /**
   * What counts now.
   *
   * @throws InvalidRequestException when what is kept cannot be read
   */
  public EffectiveSettings effective() {
    Optional<KeyValue> kept = store.keyValues().get(id());
    return kept.isEmpty()
        ? new EffectiveSettings(usual, null)
        : new EffectiveSettings(read(kept.get().value()), kept.get().modified());
  }

  private RecycleSettings read(String text) {
    try {
      return codec.decode(text, Kept.class).over(usual);
    } catch (CodecException | DateTimeException | IllegalArgumentException e) {
      throw new InvalidRequestException(
          "The recycle policy of group '"
              + group
              + "' cannot be read, so that no node is recycled: "
              + e.getMessage()
              + " Set it again.");
    }
  }

  /**
   * Has all nodes of the group heed these settings, whatever they were built with: whether they
   * begin anew, when, at which age, and at which percentage of the heap. A time of this day that
   * has passed counts from the next day on.
   */
  public void change(RecycleSettings settings, OperatorAction action) {
    requirePresent(settings, "The settings of recycles");
    requirePresent(action, "The operator action, which names actor and reason,");
    String kept = codec.encode(Kept.of(settings));
    store.keyValues().put(Put.set(id(), KeyContent.of(kept)), null);
    store
        .audit()
        .append(
            new AuditStore.Entry(
                action.actor(), "changeRecyclePolicy", null, group, action.reason(), kept));
  }

  private KeyId id() {
    return new KeyId(KEYS, group);
  }
}
