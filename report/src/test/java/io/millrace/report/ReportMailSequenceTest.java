package io.millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.EngineBuilder;
import io.millrace.instance.OperatorAction;
import io.millrace.report.ReportDefinition.MailDefinition;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.mail.Mail.Recipients;
import io.millrace.report.mail.RefusingMailServer;
import io.millrace.report.mail.SmtpSettings;
import io.millrace.report.source.ResultTable;
import io.millrace.report.store.StoredReport;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.time.Duration;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a report that is mailed, from its schedule to the mail server. */
class ReportMailSequenceTest {

  private static final String ID = "Report_mails";
  private static final int RETRIES = 2;

  private final JdbcDataSource database = new JdbcDataSource();
  private final GreenMail server =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

  /** Component whose tasks run; it is replaced when the mail server changes. */
  private ReportComponent component;

  @BeforeEach
  void start() {
    database.setURL("jdbc:h2:mem:report-mail-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private void mailOver(int port) {
    component =
        ReportComponent.on(database)
            .source("s", sourceQuery -> new ResultTable(List.of("n"), List.of(List.of(7))))
            .kpi(KpiDefinition.of("a", "Alpha", "s", "a", "n"))
            .report(
                ReportDefinition.of("one", "One", "a")
                    .mail(
                        new MailDefinition(
                            Recipients.to("anna@example.org"),
                            "{ReportDisplayName}",
                            "{ReportDisplayName}, {Schedule}")))
            .mailServer(SmtpSettings.plain("127.0.0.1", port, "mill@example.org"))
            .build();
  }

  private EngineBuilder tasks(EngineBuilder builder) {
    TaskSequence sequence =
        TaskSequence.of(ID, "Report", Schedule.of(Frequency.WEEKLY))
            .parameter(ReportComponent.REPORT, "one")
            .parameter(ReportComponent.SCHEDULE, "every week");
    for (String name : ReportComponent.taskNames()) {
      builder.task(Task.of(name, "Report"), task -> component.tasks().get(name).execute(task));
      sequence = sequence.task(name);
    }
    return builder
        .sequences(SequenceSettings.defaults().maxTaskRetries(RETRIES))
        .sequence(sequence);
  }

  private ManualEngine engine() {
    return ManualEngine.with(ManualEngine.defaultSettings(), MemoryStore::new, this::tasks);
  }

  private static SequenceStatus status(SequenceService sequenceService) {
    return sequenceService.get(ID).status();
  }

  /** Advances the clock until the sequence is due, and runs only what is due then. */
  private static void untilDue(ManualEngine engine) {
    engine.advance(
        Duration.between(
            engine.clock().instant(), engine.engine().sequences().get(ID).times().nextRun()));
  }

  @Test
  void theReportOfAWeekIsMailedWhenTheWeekHasEnded() throws Exception {
    mailOver(server.getSmtp().getPort());
    try (ManualEngine engine = engine()) {
      untilDue(engine);

      SequenceService sequenceService = engine.engine().sequences();
      assertThat(status(sequenceService)).isEqualTo(SequenceStatus.COMPLETED);
      assertThat(server.getReceivedMessages()).hasSize(1);
      MimeMessage mail = server.getReceivedMessages()[0];
      assertThat(mail.getSubject()).isEqualTo("One");
      MimeMultipart parts = (MimeMultipart) mail.getContent();
      assertThat(parts.getBodyPart(0).getContent().toString()).isEqualTo("One, every week");
      StoredReport report =
          component.reports().find(sequenceService.get(ID).last().executionId()).orElseThrow();
      assertThat(parts.getBodyPart(1).getContentType()).startsWith("application/pdf");
      assertThat(parts.getBodyPart(1).getInputStream().readAllBytes())
          .startsWith('%', 'P', 'D', 'F')
          .isEqualTo(report.content());
    }
  }

  @Test
  void aRefusedMailIsTriedAgainThenAbortedAndMailedOnceAfterARestart() throws Exception {
    try (RefusingMailServer refusing = new RefusingMailServer("DATA", "554 no");
        ManualEngine engine = engine()) {
      mailOver(refusing.port());
      SequenceService sequenceService = engine.engine().sequences();

      untilDue(engine);
      assertThat(refusing.heard()).filteredOn("DATA"::equals).hasSize(1);
      assertThat(status(sequenceService)).isEqualTo(SequenceStatus.ERROR);

      engine.advance(Duration.ofHours(1));
      assertThat(refusing.heard()).filteredOn("DATA"::equals).hasSize(1 + RETRIES);
      assertThat(status(sequenceService)).isEqualTo(SequenceStatus.ABORTED);
      assertThat(server.getReceivedMessages()).isEmpty();

      mailOver(server.getSmtp().getPort());
      sequenceService.restart(ID, OperatorAction.by("ann"));
      engine.advance(Duration.ofHours(1));
      assertThat(status(sequenceService)).isEqualTo(SequenceStatus.COMPLETED);
      assertThat(server.getReceivedMessages()).hasSize(1);
    }
  }

  @Test
  void aMailThatWasTakenGoesOutOnceThoughTheServerPartsRudely() throws Exception {
    try (RefusingMailServer parting = new RefusingMailServer("QUIT", RefusingMailServer.RESET);
        ManualEngine engine = engine()) {
      mailOver(parting.port());

      untilDue(engine);
      engine.advance(Duration.ofHours(1));
      assertThat(status(engine.engine().sequences())).isEqualTo(SequenceStatus.COMPLETED);
      assertThat(parting.heard()).filteredOn("DATA"::equals).hasSize(1);
    }
  }
}
