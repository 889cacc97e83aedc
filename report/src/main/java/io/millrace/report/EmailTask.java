package io.millrace.report;

import io.millrace.report.ReportDefinition.MailDefinition;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.mail.Mail;
import io.millrace.report.mail.Mail.Attachment;
import io.millrace.report.mail.MailException;
import io.millrace.report.mail.ReportMailer;
import io.millrace.report.pdf.TimeText;
import io.millrace.report.store.ReportStore;
import io.millrace.report.store.StoredReport;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Task that mails the PDF that the execution made of a report. */
final class EmailTask implements TaskHandler {

  private final ReportDefinitions reportDefinitions;
  private final ReportStore reports;
  private final @Nullable ReportMailer reportMailer;
  private final ZoneId zone;

  EmailTask(
      ReportDefinitions reportDefinitions,
      ReportStore reports,
      @Nullable ReportMailer reportMailer,
      ZoneId zone) {
    this.reportDefinitions = reportDefinitions;
    this.reports = reports;
    this.reportMailer = reportMailer;
    this.zone = zone;
  }

  @Override
  public void execute(TaskContext task) throws Exception {
    ReportDefinition report = reportDefinitions.report(task);
    MailDefinition definition = report.mail();
    if (definition == null) {
      throw new ReportDefinitionException(
          "The report '"
              + report.name()
              + "' says nothing about mail; give it recipients, or leave"
              + " the task "
              + task.taskName()
              + " out of the sequence.");
    }
    if (reportMailer == null) {
      throw new MailException(
          "There is no mail server to send the report '"
              + report.name()
              + "' with; expected host and port of one in the configuration.");
    }
    reports.prepare();
    StoredReport stored = stored(task, report);
    Mail mail = mail(task, definition, stored);
    ReportMailer sender = reportMailer;
    // An attempt after this one finds the stored answer and does not send again.
    String id =
        task.once(
            "mail",
            String.class,
            () -> {
              sender.send(mail);
              return mail.messageId();
            });
    task.statusLog(stored.fileName() + " mailed as " + id);
  }

  private StoredReport stored(TaskContext task, ReportDefinition report) {
    return reports
        .find(task.executionId(), report.name())
        .orElseThrow(() ->
            new MailException(
                "The execution "
                    + task.executionId()
                    + " of '"
                    + task.sequenceId()
                    + "' has made no PDF of the report '"
                    + report.name()
                    + "'; expected the task PDF before "
                    + task.taskName()
                    + " in the sequence."));
  }

  private Mail mail(TaskContext task, MailDefinition definition, StoredReport stored) {
    String schedule = task.parameter(ReportComponent.SCHEDULE, String.class).orElse("on demand");
    return new Mail(
        definition.recipients(),
        fill(definition.subject(), stored, schedule),
        fill(definition.text(), stored, schedule),
        new Attachment(stored.fileName(), "application/pdf", stored.content()),
        messageId(task.idempotencyKey()),
        stored.createdAt());
  }

  private String fill(String text, StoredReport stored, String schedule) {
    StringBuilder filled = new StringBuilder();
    int end = 0;
    // All placeholders are replaced in one pass, so that a value that looks like a placeholder
    // stays unchanged.
    var found =
        Pattern.compile("\\{(ReportDisplayName|TimeOfReportGeneration|Schedule)}").matcher(text);
    while (found.find()) {
      filled.append(text, end, found.start());
      filled.append(
          switch (found.group(1)) {
            case "ReportDisplayName" -> stored.title();
            case "Schedule" -> schedule;
            default -> TimeText.moment(stored.createdAt(), zone);
          });
      end = found.end();
    }
    return filled.append(text, end, text.length()).toString();
  }

  /**
   * Returns a Message-ID that is the same for every attempt, so that a mail server or a reader can
   * detect a repetition.
   */
  private static String messageId(String idempotencyKey) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(idempotencyKey.getBytes(StandardCharsets.UTF_8));
      return "<" + HexFormat.of().formatHex(hash, 0, 16) + "@millrace>";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
