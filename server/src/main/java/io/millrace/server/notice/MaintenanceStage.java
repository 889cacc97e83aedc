package io.millrace.server.notice;

import java.util.Set;

/** How far a maintenance is. */
public enum MaintenanceStage {
  SCHEDULED("scheduled"),
  IN_PROGRESS("inProgress"),
  VERIFYING("verifying"),
  COMPLETED("completed"),
  CANCELLED("cancelled");

  private final String code;

  MaintenanceStage(String code) {
    this.code = code;
  }

  /** As in the HTTP contract and in messages. */
  public String code() {
    return code;
  }

  /** In words for people. */
  public String label() {
    return switch (this) {
      case SCHEDULED -> "Scheduled";
      case IN_PROGRESS -> "In progress";
      case VERIFYING -> "Verifying";
      case COMPLETED -> "Completed";
      case CANCELLED -> "Cancelled";
    };
  }

  /** Where a person may bring it from here. */
  public Set<MaintenanceStage> next() {
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

  static MaintenanceStage ofCode(String code) {
    for (MaintenanceStage maintenanceStage : values()) {
      if (maintenanceStage.code.equals(code)) {
        return maintenanceStage;
      }
    }
    throw new IllegalArgumentException("'" + code + "' is no stage of a maintenance");
  }
}
