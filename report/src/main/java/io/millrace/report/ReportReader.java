package io.millrace.report;

import io.millrace.report.ReportDefinition.MailDefinition;
import io.millrace.report.kpi.DefinitionFields;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.mail.Mail.Recipients;
import io.millrace.report.mail.MailException;
import io.millrace.report.pdf.ReportTemplates;
import io.millrace.report.pdf.TemplateException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reader of the definition of a report from a JSON object. */
final class ReportReader {

  private ReportReader() {}

  /** Returns true for a report, which has KPIs, and false for a KPI. */
  static boolean isReport(JsonNode node) {
    return node.has("kpis");
  }

  static ReportDefinition report(JsonNode node) {
    String what = "The report '" + node.path("name").asString("without a name") + "'";
    DefinitionFields fields = new DefinitionFields(what, node);
    try {
      ReportDefinition report =
          new ReportDefinition(
              fields.text("name"),
              fields.text("title"),
              fields.text("template", ReportTemplates.DEFAULT),
              fields.texts("kpis"),
              mail("The mail of " + what.substring(4), fields.get("mail")));
      fields.rejectUnknownFields();
      return report;
    } catch (MailException | TemplateException e) {
      throw new ReportDefinitionException(what + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable MailDefinition mail(String what, JsonNode node) {
    if (node.isMissingNode()) {
      return null;
    }
    DefinitionFields fields = new DefinitionFields(what, node);
    MailDefinition usual =
        MailDefinition.to(
            new Recipients(fields.texts("to"), fields.texts("cc"), fields.texts("bcc")));
    MailDefinition mail =
        new MailDefinition(
            usual.recipients(),
            fields.text("subject", usual.subject()),
            fields.text("text", usual.text()));
    fields.rejectUnknownFields();
    return mail;
  }
}
