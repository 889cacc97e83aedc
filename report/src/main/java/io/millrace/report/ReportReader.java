package io.millrace.report;

import io.millrace.report.ReportDefinition.MailDefinition;
import io.millrace.report.kpi.DefinitionFault;
import io.millrace.report.kpi.Fields;
import io.millrace.report.mail.Mail.Recipients;
import io.millrace.report.mail.MailException;
import io.millrace.report.pdf.TemplateFault;
import io.millrace.report.pdf.Templates;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the definition of a report from a JSON object. */
final class ReportReader {

  private ReportReader() {}

  /** True for a report, which has KPIs, and false for a KPI. */
  static boolean isReport(JsonNode node) {
    return node.has("kpis");
  }

  static ReportDefinition report(JsonNode node) {
    String what = "The report '" + node.path("name").asString("without a name") + "'";
    Fields fields = new Fields(what, node);
    try {
      ReportDefinition report =
          new ReportDefinition(
              fields.text("name"),
              fields.text("title"),
              fields.text("template", Templates.DEFAULT),
              fields.texts("kpis"),
              mail("The mail of " + what.substring(4), fields.get("mail")));
      fields.nothingElse();
      return report;
    } catch (MailException | TemplateFault e) {
      throw new DefinitionFault(what + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable MailDefinition mail(String what, JsonNode node) {
    if (node.isMissingNode()) {
      return null;
    }
    Fields fields = new Fields(what, node);
    MailDefinition usual =
        MailDefinition.to(
            new Recipients(fields.texts("to"), fields.texts("cc"), fields.texts("bcc")));
    MailDefinition mail =
        new MailDefinition(
            usual.recipients(),
            fields.text("subject", usual.subject()),
            fields.text("text", usual.text()));
    fields.nothingElse();
    return mail;
  }
}
