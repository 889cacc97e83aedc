package io.millrace.report;

import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.mail.Mail.Recipients;
import io.millrace.report.pdf.ReportTemplates;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a report. Immutable.
 *
 * @param name up to 100 letters, digits, '_' and '-'; tasks ask for the report by it
 * @param title the title shown to readers
 * @param template the name of a folder of templates
 * @param kpis the ids of its KPIs, in the order in which they are shown
 * @param mail null when the report is not mailed
 */
public record ReportDefinition(
    String name, String title, String template, List<String> kpis, @Nullable MailDefinition mail) {

  /**
   * The mail that carries the report. In subject and text, {@code {ReportDisplayName}}, {@code
   * {TimeOfReportGeneration}} and {@code {Schedule}} are replaced.
   */
  public record MailDefinition(Recipients recipients, String subject, String text) {

    private static final String SUBJECT = "{ReportDisplayName}";
    private static final String TEXT =
        """
        The report "{ReportDisplayName}" is attached.

        Schedule: {Schedule}
        Generated: {TimeOfReportGeneration}
        """;

    /** Returns a mail with a subject and a text that suit every report. */
    public static MailDefinition to(Recipients recipients) {
      return new MailDefinition(recipients, SUBJECT, TEXT);
    }
  }

  public ReportDefinition {
    if (!name.matches("[A-Za-z0-9_-]{1,100}")) {
      throw new ReportDefinitionException(
          "'" + name + "' is no name of a report; expected up to 100 letters, digits, '_' and '-'");
    }
    if (title.isBlank() || title.length() > 300) {
      throw new ReportDefinitionException(
          "The report '" + name + "' needs a title of up to 300 characters");
    }
    ReportTemplates.check(template);
    kpis = List.copyOf(kpis);
    if (new HashSet<>(kpis).size() < kpis.size()) {
      throw new ReportDefinitionException("The report '" + name + "' names a KPI twice: " + kpis);
    }
  }

  /** Returns a report with the template that comes with the program, and without mail. */
  public static ReportDefinition of(String name, String title, String... kpis) {
    return new ReportDefinition(name, title, ReportTemplates.DEFAULT, List.of(kpis), null);
  }

  public ReportDefinition template(String folder) {
    return new ReportDefinition(name, title, folder, kpis, mail);
  }

  public ReportDefinition mail(MailDefinition definition) {
    return new ReportDefinition(name, title, template, kpis, definition);
  }
}
