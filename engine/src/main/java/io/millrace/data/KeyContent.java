package io.millrace.data;

import io.millrace.instance.TimeLimits;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a key.
 *
 * @param value any text of at most 32 KiB in UTF-8, may be empty
 * @param expiresAfter counted by the database's clock from the write on; null to keep it for ever
 */
public record KeyContent(String value, KeyStatus status, @Nullable Duration expiresAfter) {

  public static final int MAX_BYTES = 32 * 1024;

  /**
   * @throws io.millrace.instance.InvalidRequestException when the value is too long or the time is
   *     not positive
   */
  public KeyContent {
    DataValidation.text("The value", value, MAX_BYTES);
    Objects.requireNonNull(status);
    DataValidation.positive("The time until it expires", expiresAfter);
    expiresAfter = TimeLimits.limitedOrNull(expiresAfter);
  }

  /** Returns a value that does not expire. */
  public static KeyContent of(String value) {
    return new KeyContent(value, KeyStatus.UNKNOWN, null);
  }

  public KeyContent status(KeyStatus newStatus) {
    return new KeyContent(value, newStatus, expiresAfter);
  }

  public KeyContent expiresAfter(@Nullable Duration time) {
    return new KeyContent(value, status, time);
  }
}
