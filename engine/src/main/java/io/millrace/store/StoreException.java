package io.millrace.store;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the database did not carry out a request. Whether it did part of it is unknown unless
 * {@link #rejected}.
 */
public final class StoreException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final boolean rejected;
  private final boolean blocked;
  private final boolean permanent;

  /**
   * @param rejected true if the request itself is invalid, so that a retry cannot help
   */
  public StoreException(String message, boolean rejected, @Nullable Throwable cause) {
    this(message, rejected, false, false, cause);
  }

  private StoreException(
      String message,
      boolean rejected,
      boolean blocked,
      boolean permanent,
      @Nullable Throwable cause) {
    super(message, cause);
    this.rejected = rejected;
    this.blocked = blocked;
    this.permanent = permanent;
  }

  /** Returns the rejection of a request that breaks a rule, however often it is repeated. */
  public static StoreException permanent(String message) {
    return new StoreException(message, true, false, true, null);
  }

  /** Returns the exception for a request that stopped waiting for another transaction. */
  public static StoreException blocked(String message, Throwable cause) {
    return new StoreException(message, false, true, false, cause);
  }

  /**
   * Returns true if another transaction was in the way; requests for other rows may well succeed.
   */
  public boolean blocked() {
    return blocked;
  }

  /** Returns true if a further attempt of the handler would be rejected in the same way. */
  public boolean permanent() {
    return permanent;
  }

  /**
   * Returns true if the database rejected the data itself; false if it could not be reached or was
   * busy.
   */
  public boolean rejected() {
    return rejected;
  }
}
