package io.millrace.server.bulk;

import com.fasterxml.jackson.annotation.JsonValue;
import io.millrace.server.security.InstancePermissions.Access;
import java.util.Locale;

/** The action of a bulk run on each instance. */
public enum BulkAction {
  RETRY(Access.CONTROL),
  CANCEL(Access.CONTROL),
  PAUSE(Access.CONTROL),
  RESUME(Access.CONTROL),
  WAKE(Access.CONTROL),
  MOVE(Access.MODIFY),
  SIGNAL(Access.MODIFY);

  private final Access access;

  BulkAction(Access access) {
    this.access = access;
  }

  /** Returns the kind of access that the action requires for each instance. */
  Access use() {
    return access;
  }

  /** Returns the name in the contract. */
  @JsonValue
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
