package io.millrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.instance.MillraceException;
import io.millrace.report.ReportDefinition.MailDefinition;
import io.millrace.report.font.TestFonts;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.mail.Mail.Recipients;
import io.millrace.report.mail.MailException;
import io.millrace.report.mail.RefusingMailServer;
import io.millrace.report.mail.SmtpSettings;
import io.millrace.report.source.QuerySource;
import io.millrace.report.source.ResultTable;
import io.millrace.report.source.SourceException;
import io.millrace.report.source.SourceQuery;
import io.millrace.report.source.TestGitRepository;
import io.millrace.report.store.StoredReport;
import io.millrace.schedule.DataWindow;
import io.millrace.sequence.ChunksFailedException;
import io.millrace.sequence.FakeTaskContext;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportComponentTest {

  private static final long EXECUTION = 1795231348784L;
  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:01Z"), Instant.parse("2026-11-23T00:00:01Z"));

  private final JdbcDataSource database = new JdbcDataSource();

  @BeforeEach
  void database() {
    database.setURL("jdbc:h2:mem:report-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
  }

  private static FakeTaskContext task(String report) {
    return new FakeTaskContext(
        EXECUTION, WEEK, Map.of("report", report, "schedule", "every Monday at 06:00"));
  }

  private static void run(ReportComponent component, String name, FakeTaskContext task)
      throws Exception {
    component.tasks().get(name).execute(task);
  }

  private static String text(StoredReport report) throws IOException {
    try (PDDocument document = Loader.loadPDF(report.content())) {
      PDFTextStripper stripper = new PDFTextStripper();
      stripper.setSortByPosition(true);
      return stripper.getText(document);
    }
  }

  private int rows(String table) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("select count(*) from " + table)) {
      count.next();
      return count.getInt(1);
    }
  }

  private static MailDefinition mail() {
    return new MailDefinition(
        Recipients.to("anna@example.org"),
        "{ReportDisplayName} of {TimeOfReportGeneration}",
        "{ReportDisplayName} ({Schedule}) of {TimeOfReportGeneration}; {Other}");
  }

  @Test
  void theWeeklyReportOfARepositoryIsComputedPrintedAndMailed(@TempDir Path folder)
      throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    try (TestGitRepository repository = TestGitRepository.twoWeeks(folder.resolve("mill"))) {
      // docs:weekly
      ReportComponent component =
          ReportComponent.on(database)
              .weeklyReport(repository.folder(), "The mill, week by week", mail())
              .mailServer(
                  SmtpSettings.plain("127.0.0.1", server.getSmtp().getPort(), "mill@example.org"))
              .build();
      // docs:end
      FakeTaskContext task = task("weekly-report");
      for (String name : ReportComponent.taskNames()) {
        run(component, name, task);
      }

      StoredReport stored = component.reports().find(EXECUTION).orElseThrow();
      assertThat(stored.fileName()).isEqualTo("weekly-report-2026-11-22.pdf");
      assertThat(task.result("reportFile", String.class)).contains(stored.fileName());
      assertThat(text(stored))
          .contains("The mill, week by week")
          .contains("16 – 22 November 2026")
          .contains("Largest commits")
          .contains("Zoë Ωmega")
          .contains("src/Race.java")
          .contains("after 3 in the window before");

      MimeMessage received = server.getReceivedMessages()[0];
      assertThat(received.getSubject())
          .isEqualTo("The mill, week by week of 23 November 2026, 06:00 UTC");
      MimeMultipart parts = (MimeMultipart) received.getContent();
      assertThat(parts.getBodyPart(0).getContent())
          .isEqualTo(
              "The mill, week by week (every Monday at 06:00) of 23 November 2026, 06:00 UTC;"
                  + " {Other}");
      assertThat(parts.getBodyPart(1).getInputStream().readAllBytes()).isEqualTo(stored.content());
      assertThat(task.statusLog()).contains("mailed as <").contains("@millrace>");
    } finally {
      server.stop();
    }
  }

  /** A source that answers with one row, or fails while its name is among the broken ones. */
  private static final class Figures implements QuerySource {
    private final List<String> broken = new ArrayList<>();
    private int value = 1;

    @Override
    public synchronized ResultTable read(SourceQuery sourceQuery) {
      if (broken.contains(sourceQuery.text())) {
        throw new SourceException(sourceQuery.text() + " is down");
      }
      return new ResultTable(List.of("n"), List.of(List.of(value)));
    }
  }

  private ReportComponentBuilder figures(Figures figures) {
    return ReportComponent.on(database)
        .source("s", figures)
        .kpi(KpiDefinition.of("a", "Alpha", "s", "a", "n"))
        .kpi(KpiDefinition.of("b", "Beta", "s", "b", "n"))
        .kpi(KpiDefinition.of("c", "Gamma", "s", "c", "n"))
        .report(ReportDefinition.of("three", "Three", "a", "b", "c").mail(mail()))
        .report(ReportDefinition.of("silent", "Silent", "a"));
  }

  @Test
  void aRetryRepeatsOnlyTheKpisThatFailed() throws Exception {
    Figures figures = new Figures();
    figures.broken.add("b");
    ReportComponent component = figures(figures).build();
    FakeTaskContext task = task("three");
    assertThatThrownBy(() -> run(component, ReportComponent.KPI, task))
        .isInstanceOf(ChunksFailedException.class)
        .hasMessageContaining("KPI 'b': b is down");
    assertThat(task.executedChunks()).containsExactly("a", "b", "c");
    assertThat(task.statusLog()).isEqualTo("1 of 3 KPIs of three failed: b");
    assertThat(rows("millrace_report_result")).isEqualTo(2);

    figures.broken.clear();
    run(component, ReportComponent.KPI, task.retry());
    assertThat(task.executedChunks()).containsExactly("b");
    assertThat(task.statusLog()).isEqualTo("3 KPIs of three computed");
    assertThat(rows("millrace_report_result")).isEqualTo(3);
  }

  @Test
  void charactersWithoutAFontAreInTheLogOfTheTask(@TempDir Path home) throws Exception {
    ReportComponentBuilder builder =
        figures(new Figures()).report(ReportDefinition.of("week", "周报", "a"));
    builder.home(home).fonts(List.of());
    FakeTaskContext task = task("week");
    run(builder.build(), ReportComponent.KPI, task);
    run(builder.build(), ReportComponent.PDF, task);
    assertThat(task.statusLog())
        .endsWith("2 characters are shown as \"?\" because no font has them: han U+5468, U+62A5.");

    TestFonts.write(home.resolve("fonts"), "han.ttf", "周报");
    ReportComponent component = builder.build();
    run(component, ReportComponent.PDF, task);
    assertThat(task.statusLog()).endsWith("KiB");
    assertThat(text(component.reports().find(EXECUTION).orElseThrow())).contains("周报");
  }

  @Test
  void aPdfIsNotMadeWhenResultsAreLost() throws Exception {
    ReportComponent component = figures(new Figures()).build();
    run(component, ReportComponent.KPI, task("three"));
    run(component, ReportComponent.PDF, task("three"));
    execute("delete from millrace_report_result where kpi_id in ('b', 'c')");
    assertThatThrownBy(() -> run(component, ReportComponent.PDF, task("three")))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("The execution " + EXECUTION + " has no results of the KPIs [b, c]")
        .hasMessageContaining("report 'three'")
        .hasMessageContaining("Restart the sequence");
    run(component, ReportComponent.KPI, task("three"));
    run(component, ReportComponent.PDF, task("three"));
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** In the source system, a retry failed forever when the failure was not that of a KPI. */
  @Test
  void aRetryWorksAlsoWhenTheDatabaseWasAway() throws Exception {
    JdbcDataSource away = new JdbcDataSource();
    away.setURL("jdbc:h2:tcp://127.0.0.1:1/nothing");
    Figures figures = new Figures();
    List<DataSource> now = new ArrayList<>(List.of(away));
    ReportComponent component =
        figures(figures)
            .output("elsewhere", new SwitchableResultStore(now, database))
            .settings(ReportSettings.of(Map.of("outputDatasource", "elsewhere")))
            .build();
    FakeTaskContext task = task("three");
    assertThatThrownBy(() -> run(component, ReportComponent.KPI, task))
        .isInstanceOf(MillraceException.class);
    now.clear();
    run(component, ReportComponent.KPI, task.retry());
    assertThat(task.executedChunks()).containsExactly("a", "b", "c");
    assertThat(rows("millrace_report_result")).isEqualTo(3);
  }

  @Test
  void repeatingTasksOfAnExecutionReplacesWhatTheyHaveMade() throws Exception {
    Figures figures = new Figures();
    ReportComponent component = figures(figures).build();
    run(component, ReportComponent.KPI, task("three"));
    run(component, ReportComponent.PDF, task("three"));
    assertThat(text(component.reports().find(EXECUTION).orElseThrow())).doesNotContain("4711");

    figures.value = 4711;
    run(component, ReportComponent.KPI, task("three"));
    run(component, ReportComponent.PDF, task("three").now(Instant.parse("2026-11-24T07:00:00Z")));
    StoredReport again = component.reports().find(EXECUTION).orElseThrow();
    assertThat(text(again)).contains("4,711").contains("24 November 2026, 07:00");
    assertThat(rows("millrace_report_result")).isEqualTo(3);
    assertThat(rows("millrace_report_pdf")).isEqualTo(1);
    assertThat(component.reports().newest("three").orElseThrow().createdAt())
        .isEqualTo(again.createdAt());
  }

  @Test
  void aMailThatWasAcceptedIsNotSentAgainAndARefusedOneIs() throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    FakeTaskContext task = task("three");
    try {
      ReportComponent component =
          figures(new Figures())
              .mailServer(
                  SmtpSettings.plain("127.0.0.1", server.getSmtp().getPort(), "mill@example.org"))
              .build();
      for (String name : ReportComponent.taskNames()) {
        run(component, name, task);
      }
      run(component, ReportComponent.EMAIL, task.retry());
      assertThat(server.getReceivedMessages()).hasSize(1);
    } finally {
      server.stop();
    }
    try (RefusingMailServer refusing = new RefusingMailServer("DATA", "554 no")) {
      ReportComponent component =
          figures(new Figures())
              .mailServer(SmtpSettings.plain("127.0.0.1", refusing.port(), "mill@example.org"))
              .build();
      FakeTaskContext refused = task("three");
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThatThrownBy(() -> run(component, ReportComponent.EMAIL, refused))
            .isInstanceOf(MailException.class);
        refused.retry();
      }
      assertThat(refusing.heard()).filteredOn("DATA"::equals).hasSize(2);
    }
  }

  @Test
  void eachMailCarriesTheReportThatItsTaskNames() throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    try {
      ReportComponent component =
          figures(new Figures())
              .report(mailed("board", "chair@example.org"))
              .report(mailed("team", "crew@example.org"))
              .report(mailed("guests", "guest@example.org"))
              .mailServer(
                  SmtpSettings.plain("127.0.0.1", server.getSmtp().getPort(), "mill@example.org"))
              .build();
      for (String name : ReportComponent.taskNames()) {
        run(component, name, task("board"));
        run(component, name, task("team"));
      }
      run(component, ReportComponent.EMAIL, task("board"));
      for (MimeMessage mail : server.getReceivedMessages()) {
        String name = mail.getSubject();
        MimeMultipart parts = (MimeMultipart) mail.getContent();
        assertThat(parts.getBodyPart(1).getFileName()).startsWith(name);
        assertThat(parts.getBodyPart(1).getInputStream().readAllBytes())
            .isEqualTo(component.reports().find(EXECUTION, name).orElseThrow().content());
        assertThat(mail.getAllRecipients())
            .extracting(Object::toString)
            .containsExactly(name.equals("board") ? "chair@example.org" : "crew@example.org");
      }
      assertThat(server.getReceivedMessages()).hasSize(3);
      assertThatThrownBy(() -> run(component, ReportComponent.EMAIL, task("guests")))
          .hasMessageContaining("has made no PDF of the report 'guests'");
    } finally {
      server.stop();
    }
  }

  private static ReportDefinition mailed(String name, String to) {
    return ReportDefinition.of(name, name, "a").mail(MailDefinition.to(Recipients.to(to)));
  }

  @Test
  void aMailNeedsAPdfRecipientsAndAServer() {
    ReportComponentBuilder builder = figures(new Figures());
    assertThatThrownBy(() -> run(builder.build(), ReportComponent.EMAIL, task("three")))
        .isInstanceOf(MailException.class)
        .hasMessageContaining("no mail server");
    ReportComponent component =
        builder.mailServer(SmtpSettings.plain("127.0.0.1", 1, "mill@example.org")).build();
    assertThatThrownBy(() -> run(component, ReportComponent.EMAIL, task("three")))
        .isInstanceOf(MailException.class)
        .hasMessageContaining("has made no PDF of the report 'three'")
        .hasMessageContaining("expected the task PDF before TASK");
    assertThatThrownBy(() -> run(component, ReportComponent.EMAIL, task("silent")))
        .isInstanceOf(ReportDefinitionException.class)
        .hasMessageContaining("'silent' says nothing about mail");
  }

  @Test
  void whatDoesNotFitTogetherIsRefused() {
    assertThatThrownBy(() -> run(figures(new Figures()).build(), ReportComponent.KPI, task("four")))
        .hasMessage("There is no report 'four'; expected one of [three, silent]");
    assertThatThrownBy(() ->
            run(
                figures(new Figures()).build(),
                ReportComponent.PDF,
                new FakeTaskContext(EXECUTION, WEEK, Map.of())))
        .hasMessageContaining("no parameter 'report'");
    assertThatThrownBy(() ->
            figures(new Figures())
                .settings(ReportSettings.of(Map.of("outputDatasource", "mongo")))
                .build())
        .hasMessage("assessmentReport.outputDatasource is 'MONGO', expected one of [DATABASE]");
    assertThatThrownBy(
            () -> figures(new Figures()).report(ReportDefinition.of("r", "R", "z")).build())
        .hasMessageContaining("names the KPI 'z'");
    assertThatThrownBy(
            () -> figures(new Figures()).report(ReportDefinition.of("three", "R", "a")).build())
        .hasMessageContaining("two reports 'three'");
    assertThatThrownBy(() -> ReportDefinition.of("r", "R", "a", "a")).hasMessageContaining("twice");
  }

  @Test
  void anInactiveKpiIsLeftOut() throws Exception {
    KpiDefinition active = KpiDefinition.of("a", "Alpha", "s", "a", "n");
    KpiDefinition inactive =
        new KpiDefinition(
            "b",
            new KpiDefinition.Naming("Beta", "s", "g", ""),
            active.querySpec(),
            active.display(),
            List.of(),
            false);
    ReportComponent component =
        ReportComponent.on(database)
            .source("s", new Figures())
            .kpi(active)
            .kpi(inactive)
            .report(ReportDefinition.of("two", "Two", "a", "b"))
            .build();
    FakeTaskContext task = task("two");
    run(component, ReportComponent.KPI, task);
    run(component, ReportComponent.PDF, task);
    assertThat(task.executedChunks()).containsExactly("a");
    assertThat(text(component.reports().find(EXECUTION).orElseThrow()))
        .contains("Alpha")
        .doesNotContain("Beta");
  }
}
