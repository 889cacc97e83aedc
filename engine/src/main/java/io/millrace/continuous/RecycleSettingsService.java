package io.millrace.continuous;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.continuous.RecycleSettings.Daily;
import io.millrace.continuous.RecycleSettings.HeapLimit;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyValue;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.store.KeyValueStore;
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
 * The settings of the automatic recycle of an executor group: those that the engine was built with,
 * until an operator sets others for the whole group. Every engine that was built to recycle its
 * node applies them with its next check, within a minute. Thread-safe; every call reads the
 * database.
 */
public final class RecycleSettingsService {

  /** Group of the key-values in which the settings are stored; the keys are the executor groups. */
  public static final String KEYS = "millrace-recycle";

  private final String group;
  private final Store store;
  private final Codec codec;
  private final RecycleSettings usual;

  /**
   * @param usual settings until an operator sets others
   */
  public RecycleSettingsService(String group, Store store, Codec codec, RecycleSettings usual) {
    this.group = group;
    this.store = store;
    this.codec = codec;
    this.usual = usual;
  }

  /**
   * The settings in force.
   *
   * @param since when an operator set them; null if none has
   */
  public record EffectiveSettings(RecycleSettings settings, @Nullable Instant since) {

    /**
     * Returns the windows in which nodes are recycled, without end. The first is the earliest that
     * has not ended.
     */
    public Stream<Window> windows(Instant now) {
      Daily daily = settings.daily();
      if (!settings.enabled() || daily == null) {
        return Stream.empty();
      }
      // A window may have started on the date before, and with another offset.
      LocalDate first = LocalDate.ofInstant(now, daily.zone()).minusDays(2);
      return Stream.iterate(first, date -> date.plusDays(1))
          .map(date -> Window.of(daily, date))
          .filter(one -> one.until().isAfter(now))
          .filter(one -> since == null || !one.from().isBefore(since));
    }

    /** Returns the next window that has not started. */
    public Optional<Window> next(Instant now) {
      return windows(now).filter(one -> one.from().isAfter(now)).findFirst();
    }
  }

  /** A window over which the recycles of the nodes are spread. */
  public record Window(ZonedDateTime begins, Duration length) {

    static Window of(Daily daily, LocalDate date) {
      return new Window(ZonedDateTime.of(date, daily.at(), daily.zone()), daily.window());
    }

    public Instant from() {
      return begins.toInstant();
    }

    /**
     * Returns the end of the window, at least a second after its start, so that a caller can see
     * it.
     */
    public Instant until() {
      return from().plus(length.isZero() ? Duration.ofSeconds(1) : length);
    }
  }

  /** The stored form of the settings. */
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
   * Returns the settings in force.
   *
   * @throws InvalidRequestException if the stored settings cannot be read
   */
  public EffectiveSettings effective() {
    Optional<KeyValue> kept = store.role(KeyValueStore.class).get(id());
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
   * Sets the settings of all nodes of the group, whatever they were built with: whether they are
   * recycled, when, at which age, and at which percentage of the heap. A time of this day that has
   * passed counts from the next day on.
   */
  public void change(RecycleSettings settings, OperatorAction action) {
    requirePresent(settings, "The settings of recycles");
    requirePresent(action, "The operator action, which names actor and reason,");
    String kept = codec.encode(Kept.of(settings));
    store.role(KeyValueStore.class).put(Put.set(id(), KeyContent.of(kept)), null);
    store
        .audit()
        .append(
            new AuditEntry(
                action.actor(), "changeRecyclePolicy", null, group, action.reason(), kept));
  }

  private KeyId id() {
    return new KeyId(KEYS, group);
  }
}
