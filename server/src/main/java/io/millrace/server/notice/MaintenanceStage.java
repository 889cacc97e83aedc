package io.millrace.server.notice;

import java.util.Set;

/** The stage of a maintenance. */
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

  /** Returns the name in the HTTP contract and in messages. */
  public String code() {
    return code;
  }

  /** Returns the name for people. */
  public String label() {
    return switch (this) {
      case SCHEDULED -> "Scheduled";
      case IN_PROGRESS -> "In progress";
      case VERIFYING -> "Verifying";
      case COMPLETED -> "Completed";
      case CANCELLED -> "Cancelled";
    };
  }

  /** Returns the stages to which an operator may move a maintenance in this stage. */
  public Set<MaintenanceStage> next() {
    return switch (this) {
      case SCHEDULED -> Set.of(IN_PROGRESS, CANCELLED);
      case IN_PROGRESS -> Set.of(VERIFYING, COMPLETED, CANCELLED);
      case VERIFYING -> Set.of(IN_PROGRESS, COMPLETED);
      case COMPLETED, CANCELLED -> Set.of();
    };
  }

  /** True if the plan may be changed in this stage. */
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
