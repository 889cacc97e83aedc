package io.millrace.server.api;

import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.RecycleSettings.Daily;
import io.millrace.continuous.RecycleSettingsService;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.ProblemException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The policy by which the nodes of this server's group restart automatically. */
final class RecyclePolicyResource {

  private static final int TEXT = 100;
  private static final long MAX_WINDOW = Duration.ofHours(12).toSeconds();
  private static final long MAX_AGE = Duration.ofDays(365).toSeconds();

  private final ApiContext context;
  private final RecycleSettingsService recycleSettingsService;

  RecyclePolicyResource(ApiContext context) {
    this.context = context;
    this.recycleSettingsService = context.engine().admin().recycles();
  }

  /** Schema RecyclePolicy. */
  record PolicyView(
      boolean enabled,
      @Nullable String at,
      @Nullable String zone,
      @Nullable Long windowSeconds,
      @Nullable Long maxAgeSeconds,
      @Nullable Integer memoryPercent,
      @Nullable Instant changed,
      @Nullable Instant nextUtc,
      @Nullable OffsetDateTime nextLocal) {

    static PolicyView of(RecycleSettingsService.EffectiveSettings effectiveSettings, Instant now) {
      RecycleSettings settings = effectiveSettings.settings();
      Optional<RecycleSettingsService.Window> next = effectiveSettings.next(now);
      return new PolicyView(
          settings.enabled(),
          part(settings.daily(), daily -> daily.at().toString()),
          part(settings.daily(), daily -> daily.zone().getId()),
          part(settings.daily(), daily -> daily.window().toSeconds()),
          part(settings.maxAge(), Duration::toSeconds),
          part(settings.memory(), RecycleSettings.HeapLimit::percent),
          effectiveSettings.since(),
          next.map(RecycleSettingsService.Window::from).orElse(null),
          next.map(one -> one.begins().toOffsetDateTime()).orElse(null));
    }

    private static <T, P> @Nullable P part(@Nullable T whole, Function<T, P> part) {
      return whole == null ? null : part.apply(whole);
    }
  }

  ApiResponse get(ApiRequest request) {
    return ApiResponse.json(
        PolicyView.of(recycleSettingsService.effective(), context.admin().now()));
  }

  ApiResponse change(ApiRequest request) throws IOException {
    JsonFields body =
        request.body(
            "enabled", "at", "zone", "windowSeconds", "maxAgeSeconds", "memoryPercent", "reason");
    if (body.json("enabled") == null) {
      throw ProblemException.invalid("enabled", "is missing; expected true or false.");
    }
    Long window = body.optionalNumber("windowSeconds", 0, MAX_WINDOW);
    Long age = body.optionalNumber("maxAgeSeconds", 60, MAX_AGE);
    Long memory = body.optionalNumber("memoryPercent", 1, 100);
    Daily daily =
        new Daily(
            at(body.text("at", 1, TEXT)),
            zone(body.text("zone", 1, TEXT)),
            window == null ? Duration.ofHours(1) : Duration.ofSeconds(window));
    RecycleSettings settings =
        RecycleSettings.daily(daily.zone())
            .at(daily.at(), daily.zone(), daily.window())
            .maxAge(age == null ? null : Duration.ofSeconds(age))
            .heapPercent(memory == null ? null : memory.intValue())
            .enabled(body.flag("enabled"));
    recycleSettingsService.change(settings, InstanceActionResource.actionOf(request, body));
    return get(request);
  }

  private static LocalTime at(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeException e) {
      throw ProblemException.invalid(
          "at", "is '" + text + "'; expected a time of the day such as 04:30.");
    }
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw ProblemException.invalid(
          "zone", "is '" + text + "', which is no time zone; expected one such as Europe/Berlin.");
    }
  }
}
