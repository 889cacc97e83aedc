package io.millrace.report.kpi;

import java.util.ArrayList;
import java.util.List;

/**
 * A key performance indicator. Immutable.
 *
 * @param id unique among all, up to 80 characters; results and chunks are kept by it
 * @param active false leaves it out of every report
 */
public record KpiDefinition(
    String id,
    Naming naming,
    Ask ask,
    Display display,
    List<ContentRule> contents,
    boolean active) {

  /**
   * What people call it.
   *
   * @param tool where the data is from, for example {@code GIT}
   * @param group under which heading it stands
   */
  public record Naming(String name, String tool, String group, String category) {}

  /**
   * How it is computed.
   *
   * @param source the name of a data source
   * @param query in the language of the source, with {@code {startTime}} and {@code {endTime}}
   * @param field which field of the answer holds the figure
   * @param compared whether the window before is asked for too
   */
  public record Ask(
      String source,
      String query,
      String field,
      Aggregate aggregate,
      Split split,
      boolean compared) {}

  /**
   * How it is shown.
   *
   * @param unit stands after the value; may be empty
   * @param label which field names the points of a series; empty for the first that is not the
   *     figure
   * @param tile whether the value stands among the tiles
   */
  public record Display(Look look, String unit, Good good, String label, boolean tile) {}

  public KpiDefinition {
    if (!id.matches("[A-Za-z0-9_.-]{1,80}")) {
      throw new DefinitionFault(
          "'" + id + "' is no id of a KPI; expected up to 80 letters, digits, '_', '-' and '.'");
    }
    if (naming.name().isBlank() || ask.source().isBlank() || ask.query().isBlank()) {
      throw new DefinitionFault("The KPI '" + id + "' needs a name, a datasource and a query");
    }
    if (ask.field().isBlank() && ask.aggregate() != Aggregate.COUNT) {
      throw new DefinitionFault(
          "The KPI '" + id + "' needs a resultField, or the aggregate 'count'");
    }
    contents = List.copyOf(contents);
  }

  /** A figure of one query, shown as a tile; the methods below change the rest. */
  public static KpiDefinition of(
      String id, String name, String source, String query, String field) {
    return new KpiDefinition(
        id,
        new Naming(name, source, "Figures", ""),
        new Ask(source, query, field, Aggregate.SUM, Split.NONE, true),
        new Display(Look.TILE, "", Good.NEITHER, "", true),
        List.of(),
        true);
  }

  public KpiDefinition group(String group) {
    return new KpiDefinition(
        id,
        new Naming(naming.name(), naming.tool(), group, naming.category()),
        ask,
        display,
        contents,
        active);
  }

  public KpiDefinition look(Look look) {
    return with(new Display(look, display.unit(), display.good(), display.label(), display.tile()));
  }

  public KpiDefinition unit(String unit) {
    return with(new Display(display.look(), unit, display.good(), display.label(), display.tile()));
  }

  public KpiDefinition good(Good good) {
    return with(new Display(display.look(), display.unit(), good, display.label(), display.tile()));
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
        new Ask(ask.source(), ask.query(), ask.field(), aggregate, ask.split(), ask.compared()));
  }

  public KpiDefinition split(Split split) {
    return with(
        new Ask(ask.source(), ask.query(), ask.field(), ask.aggregate(), split, ask.compared()));
  }

  public KpiDefinition notCompared() {
    return with(
        new Ask(ask.source(), ask.query(), ask.field(), ask.aggregate(), ask.split(), false));
  }

  public KpiDefinition content(ContentRule rule) {
    List<ContentRule> more = new ArrayList<>(contents);
    more.add(rule);
    return new KpiDefinition(id, naming, ask, display, more, active);
  }

  private KpiDefinition with(Display changed) {
    return new KpiDefinition(id, naming, ask, changed, contents, active);
  }

  private KpiDefinition with(Ask changed) {
    return new KpiDefinition(id, naming, changed, display, contents, active);
  }
}
