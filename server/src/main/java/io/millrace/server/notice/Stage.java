package io.millrace.server.notice;

import java.util.Set;

/** How far a maintenance is. */
public enum Stage {
  SCHEDULED("scheduled"),
  IN_PROGRESS("inProgress"),
  VERIFYING("verifying"),
  COMPLETED("completed"),
  CANCELLED("cancelled");

  private final String code;

  Stage(String code) {
    this.code = code;
  }

  /** As in the HTTP contract and in messages. */
  public String code() {
    return code;
  }

  /** In words for people. */
  public String words() {
    return switch (this) {
      case SCHEDULED -> "Scheduled";
      case IN_PROGRESS -> "In progress";
      case VERIFYING -> "Verifying";
      case COMPLETED -> "Completed";
      case CANCELLED -> "Cancelled";
    };
  }

  /** Where a person may bring it from here. */
  public Set<Stage> next() {
    return switch (this) {
      case SCHEDULED -> Set.of(IN_PROGRESS, CANCELLED);
      case IN_PROGRESS -> Set.of(VERIFYING, COMPLETED, CANCELLED);
      case VERIFYING -> Set.of(IN_PROGRESS, COMPLETED);
      case COMPLETED, CANCELLED -> Set.of();
    };
  }

  /** Whether its plan may be changed here. */
  public boolean isOpen() {
    return !next().isEmpty();
  }

  static Stage ofCode(String code) {
    for (Stage stage : values()) {
      if (stage.code.equals(code)) {
        return stage;
      }
    }
    throw new IllegalArgumentException("'" + code + "' is no stage of a maintenance");
  }
}
