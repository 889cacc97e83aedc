package io.millrace.report.kpi;

import java.util.ArrayList;
import java.util.List;

/**
 * A key performance indicator. Immutable.
 *
 * @param id the unique id, up to 80 characters; results and chunks are stored under it
 * @param active false leaves it out of every report
 */
public record KpiDefinition(
    String id,
    Naming naming,
    QuerySpec querySpec,
    Display display,
    List<ContentRule> contents,
    boolean active) {

  /**
   * Names of a KPI for readers.
   *
   * @param tool the origin of the data, for example {@code GIT}
   * @param group the heading above the KPI
   */
  public record Naming(String name, String tool, String group, String category) {}

  /**
   * Query of a KPI.
   *
   * @param source the name of a data source
   * @param query in the language of the source, with {@code {startTime}} and {@code {endTime}}
   * @param field the field of the answer that holds the figure
   * @param compared true to query the window before as well
   */
  public record QuerySpec(
      String source,
      String query,
      String field,
      Aggregate aggregate,
      WindowSplit split,
      boolean compared) {}

  /**
   * Display of a KPI.
   *
   * @param unit the text after the value; may be empty
   * @param label the field that names the points of a series; empty for the first one that is not
   *     the figure
   * @param tile true to show the value among the tiles
   */
  public record Display(
      DisplayType look, String unit, GoodDirection good, String label, boolean tile) {}

  public KpiDefinition {
    if (!id.matches("[A-Za-z0-9_.-]{1,80}")) {
      throw new ReportDefinitionException(
          "'" + id + "' is no id of a KPI; expected up to 80 letters, digits, '_', '-' and '.'");
    }
    if (naming.name().isBlank() || querySpec.source().isBlank() || querySpec.query().isBlank()) {
      throw new ReportDefinitionException(
          "The KPI '" + id + "' needs a name, a datasource and a query");
    }
    if (querySpec.field().isBlank() && querySpec.aggregate() != Aggregate.COUNT) {
      throw new ReportDefinitionException(
          "The KPI '" + id + "' needs a resultField, or the aggregate 'count'");
    }
    contents = List.copyOf(contents);
  }

  /** Returns a figure of one query, shown as a tile; the methods below change the rest. */
  public static KpiDefinition of(
      String id, String name, String source, String query, String field) {
    return new KpiDefinition(
        id,
        new Naming(name, source, "Figures", ""),
        new QuerySpec(source, query, field, Aggregate.SUM, WindowSplit.NONE, true),
        new Display(DisplayType.TILE, "", GoodDirection.NEITHER, "", true),
        List.of(),
        true);
  }

  public KpiDefinition group(String group) {
    return new KpiDefinition(
        id,
        new Naming(naming.name(), naming.tool(), group, naming.category()),
        querySpec,
        display,
        contents,
        active);
  }

  public KpiDefinition look(DisplayType displayType) {
    return with(
        new Display(displayType, display.unit(), display.good(), display.label(), display.tile()));
  }

  public KpiDefinition unit(String unit) {
    return with(new Display(display.look(), unit, display.good(), display.label(), display.tile()));
  }

  public KpiDefinition good(GoodDirection goodDirection) {
    return with(
        new Display(
            display.look(), display.unit(), goodDirection, display.label(), display.tile()));
  }

  public KpiDefinition label(String field) {
    return with(new Display(display.look(), display.unit(), display.good(), field, display.tile()));
  }

  public KpiDefinition withoutTile() {
    return with(
        new Display(display.look(), display.unit(), display.good(), display.label(), false));
  }

  public KpiDefinition aggregate(Aggregate aggregate) {
    return with(
        new QuerySpec(
            querySpec.source(),
            querySpec.query(),
            querySpec.field(),
            aggregate,
            querySpec.split(),
            querySpec.compared()));
  }

  public KpiDefinition split(WindowSplit windowSplit) {
    return with(
        new QuerySpec(
            querySpec.source(),
            querySpec.query(),
            querySpec.field(),
            querySpec.aggregate(),
            windowSplit,
            querySpec.compared()));
  }

  public KpiDefinition notCompared() {
    return with(
        new QuerySpec(
            querySpec.source(),
            querySpec.query(),
            querySpec.field(),
            querySpec.aggregate(),
            querySpec.split(),
            false));
  }

  public KpiDefinition content(ContentRule rule) {
    List<ContentRule> more = new ArrayList<>(contents);
    more.add(rule);
    return new KpiDefinition(id, naming, querySpec, display, more, active);
  }

  private KpiDefinition with(Display changed) {
    return new KpiDefinition(id, naming, querySpec, changed, contents, active);
  }

  private KpiDefinition with(QuerySpec changed) {
    return new KpiDefinition(id, naming, changed, display, contents, active);
  }
}
