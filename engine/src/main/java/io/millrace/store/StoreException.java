package io.millrace.store;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * The database did not do what was asked. Whether it did part of it is unknown unless {@link
 * #refused}.
 */
public final class StoreException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final boolean refused;

  /**
   * @param refused true when the request itself is at fault, so that trying again cannot help
   */
  public StoreException(String message, boolean refused, @Nullable Throwable cause) {
    super(message, cause);
    this.refused = refused;
  }

  /**
   * True when the database refused the data itself; false when it could not be reached or was busy.
   */
  public boolean refused() {
    return refused;
  }
}
