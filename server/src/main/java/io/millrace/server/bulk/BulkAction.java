package io.millrace.server.bulk;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a bulk run does to each instance. */
public enum BulkAction {
  RETRY,
  CANCEL,
  PAUSE,
  RESUME,
  WAKE,
  MOVE,
  SIGNAL;

  /** The name in the contract. */
  @JsonValue
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
