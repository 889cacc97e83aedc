package io.millrace.report;

import io.millrace.report.font.FontFolders;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiReader;
import io.millrace.report.mail.SmtpSettings;
import io.millrace.report.source.GitSource;
import io.millrace.report.source.JdbcSource;
import io.millrace.report.source.QuerySource;
import io.millrace.report.source.SourceException;
import io.millrace.report.store.ResultStore;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builder of a report component. Not thread-safe. */
public final class ReportComponentBuilder {

  final DataSource database;
  final Map<String, QuerySource> sources = new LinkedHashMap<>();
  final Map<String, ResultStore> stores = new LinkedHashMap<>();
  final List<KpiDefinition> kpis = new ArrayList<>();
  final List<ReportDefinition> reports = new ArrayList<>();
  final ReportDefinitionErrors faults = new ReportDefinitionErrors();
  boolean fromFolder;
  ReportSettings settings = ReportSettings.defaults();
  ZoneId zone = ZoneOffset.UTC;
  @Nullable Path home;
  private @Nullable List<Path> fonts;
  @Nullable SmtpSettings smtp;

  ReportComponentBuilder(DataSource database) {
    this.database = database;
  }

  public ReportComponentBuilder settings(ReportSettings given) {
    settings = given;
    return this;
  }

  /**
   * Sets the program's home folder. Its folder {@code assessmentReportPdfTemplate} has templates,
   * and its folder {@code fonts} has fonts for characters that the font of reports lacks.
   */
  public ReportComponentBuilder home(Path folder) {
    home = folder;
    return this;
  }

  /**
   * Sets the folders of fonts for characters that the font of reports lacks; those of the operating
   * system unless set. The folder {@code fonts} of the home folder comes before them.
   */
  public ReportComponentBuilder fonts(List<Path> folders) {
    fonts = List.copyOf(folders);
    return this;
  }

  List<Path> fontFolders() {
    List<Path> folders = new ArrayList<>();
    if (home != null) {
      folders.add(home.resolve("fonts"));
    }
    folders.addAll(fonts == null ? FontFolders.ofMachine() : fonts);
    return folders;
  }

  /** Sets the zone in which days begin and times are shown; UTC unless set. */
  public ReportComponentBuilder zone(ZoneId given) {
    zone = given;
    return this;
  }

  /** Sets the mail server; without one, the task EMAIL fails. */
  public ReportComponentBuilder mailServer(SmtpSettings given) {
    smtp = given;
    return this;
  }

  /** Adds a source of figures, by the name that KPIs use. */
  public ReportComponentBuilder source(String name, QuerySource source) {
    sources.put(name, source);
    return this;
  }

  /** Adds a database as a source of figures. */
  public ReportComponentBuilder source(String name, DataSource source) {
    return source(name, new JdbcSource(name, source));
  }

  /** Replaces a source by one that fails with a message. */
  void unusableSource(String name, String fault) {
    stores.remove(name.toUpperCase(Locale.ROOT));
    sources.put(
        name,
        query -> {
          throw new SourceException(fault);
        });
  }

  /** Adds a store for results, by the name that {@code outputDatasource} uses. */
  public ReportComponentBuilder output(String name, ResultStore store) {
    stores.put(name.toUpperCase(Locale.ROOT), store);
    return this;
  }

  public ReportComponentBuilder kpi(KpiDefinition kpi) {
    kpis.add(kpi);
    return this;
  }

  /**
   * Adds all KPIs of the JSON files in a folder.
   *
   * @throws io.millrace.report.kpi.ReportDefinitionException naming the file, when one cannot be
   *     used
   */
  public ReportComponentBuilder kpis(Path folder) {
    kpis.addAll(KpiReader.folder(folder));
    return this;
  }

  /**
   * Adds all KPIs, reports and sources of the JSON files in a folder, which need not exist. Call it
   * after {@link #zone}. A file or definition that cannot be used fails only the reports that use
   * it, and {@link ReportComponent#problems} names it.
   *
   * @param variables the environment variables, which {@code sources.json} may use as {@code
   *     ${NAME}}
   */
  public ReportComponentBuilder folder(Path folder, Map<String, String> variables) {
    fromFolder = true;
    ReportFolder.read(folder, zone, variables, this);
    return this;
  }

  public ReportComponentBuilder report(ReportDefinition report) {
    reports.add(report);
    return this;
  }

  /**
   * Adds the ready-made report {@code weekly-report} of a git repository, and its KPIs, over the
   * source {@code git}.
   *
   * @param title for example the repository's name
   * @param mail the mail of the report; null for none
   */
  public ReportComponentBuilder weeklyReport(
      Path repository, String title, ReportDefinition.@Nullable MailDefinition mail) {
    source(WeeklyReport.SOURCE, GitSource.of(repository, zone));
    kpis.addAll(WeeklyReport.kpis());
    ReportDefinition report = WeeklyReport.definition(title);
    return report(mail == null ? report : report.mail(mail));
  }

  /**
   * Builds the component.
   *
   * @throws io.millrace.instance.MillraceException when settings cannot be used, or when
   *     definitions that all come from the program contradict each other
   */
  public ReportComponent build() {
    return new ReportComponent(this);
  }
}
