package io.millrace.report.kpi;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** Signals that the definition of a KPI or a report cannot be used. */
public final class ReportDefinitionException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public ReportDefinitionException(String message) {
    super(message);
  }

  public ReportDefinitionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
