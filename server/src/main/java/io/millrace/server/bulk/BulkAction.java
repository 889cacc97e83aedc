package io.millrace.server.bulk;

import com.fasterxml.jackson.annotation.JsonValue;
import io.millrace.server.security.InstancePermissions.Use;
import java.util.Locale;

/** What a bulk run does to each instance. */
public enum BulkAction {
  RETRY(Use.STEER),
  CANCEL(Use.STEER),
  PAUSE(Use.STEER),
  RESUME(Use.STEER),
  WAKE(Use.STEER),
  MOVE(Use.ALTER),
  SIGNAL(Use.ALTER);

  private final Use use;

  BulkAction(Use use) {
    this.use = use;
  }

  /** Returns the kind of access to each instance that the action is. */
  Use use() {
    return use;
  }

  /** The name in the contract. */
  @JsonValue
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
