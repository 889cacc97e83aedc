package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.util.Arrays;

/** The status that an application gives to a value; without effect on the engine. */
public enum KeyStatus {
  UNKNOWN("Unknown"),
  IN_PROGRESS("InProgress"),
  WARNING("Warning"),
  ERROR("Error"),
  SUCCESS("Success");

  private final String code;

  KeyStatus(String code) {
    this.code = code;
  }

  /** Returns the name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /**
   * Returns the status with this code, in any case.
   *
   * @throws InvalidRequestException if there is none
   */
  public static KeyStatus ofCode(String code) {
    for (KeyStatus status : values()) {
      if (status.code.equalsIgnoreCase(code)) {
        return status;
      }
    }
    throw new InvalidRequestException(
        "Key status '"
            + code
            + "' is unknown; expected one of "
            + Arrays.stream(values()).map(KeyStatus::code).toList()
            + ".");
  }
}
