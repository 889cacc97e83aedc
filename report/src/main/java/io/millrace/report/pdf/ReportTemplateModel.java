package io.millrace.report.pdf;

import io.millrace.report.chart.ChartData;
import io.millrace.report.kpi.DisplayType;
import io.millrace.report.kpi.GoodDirection;
import io.millrace.report.kpi.Inference;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiResult;
import io.millrace.report.kpi.NumberText;
import io.millrace.report.kpi.Sentiment;
import io.millrace.report.kpi.SeriesPoint;
import io.millrace.report.pdf.ReportContent.Kpi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report as values that templates can name, and its charts by their names in the template. */
final class ReportTemplateModel {

  private static final int TILES_IN_A_ROW = 3;
  private static final int MAX_ROWS = 25;
  private static final int MAX_HIGHLIGHTS = 8;

  private final Map<String, ChartData> charts = new HashMap<>();
  private final Map<String, Object> values;

  ReportTemplateModel(ReportContent content) {
    this.values = values(content);
  }

  Map<String, Object> values() {
    return values;
  }

  Map<String, ChartData> charts() {
    return charts;
  }

  private Map<String, Object> values(ReportContent content) {
    Map<String, Object> all = new LinkedHashMap<>();
    ReportContent.Heading heading = content.heading();
    all.put("title", heading.title());
    all.put("report", heading.report());
    all.put("executionId", Long.toString(heading.executionId()));
    all.put("generated", TimeText.moment(heading.generatedAt(), content.zone()));
    all.put("window", TimeText.window(content.window(), content.zone()));
    all.put("windowFrom", content.window().from().toString());
    all.put("windowTo", content.window().to().toString());
    all.put("zone", content.zone().getId());
    all.put("empty", content.kpis().isEmpty());
    List<Map<String, Object>> highlights = highlights(content.kpis());
    all.put("highlights", highlights);
    all.put("inShort", !highlights.isEmpty());
    all.put("tileRows", tileRows(content.kpis()));
    all.put("groups", groups(content.kpis()));
    return all;
  }

  /**
   * Returns the highlights: negative findings first, then positive ones, then neutral ones of tiles
   * only.
   */
  private static List<Map<String, Object>> highlights(List<Kpi> kpis) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Sentiment sentiment : List.of(Sentiment.NEGATIVE, Sentiment.POSITIVE, Sentiment.NEUTRAL)) {
      for (Kpi kpi : kpis) {
        if (sentiment == Sentiment.NEUTRAL
            && kpi.definition().display().look() != DisplayType.TILE) {
          continue;
        }
        kpi.result().inferences().stream()
            .filter(i -> i.sentiment() == sentiment && all.size() < MAX_HIGHLIGHTS)
            .forEach(i -> {
              Map<String, Object> one = inference(i);
              one.put("name", kpi.definition().naming().name());
              all.add(one);
            });
      }
    }
    return all;
  }

  private static List<Map<String, Object>> tileRows(List<Kpi> kpis) {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Map<String, Object>> cells = new ArrayList<>();
    for (Kpi kpi : kpis) {
      if (kpi.definition().display().tile()) {
        Map<String, Object> cell = figure(kpi);
        cell.put("filled", true);
        cells.add(cell);
      }
      if (cells.size() == TILES_IN_A_ROW) {
        rows.add(Map.of("cells", cells));
        cells = new ArrayList<>();
      }
    }
    if (!cells.isEmpty()) {
      while (cells.size() < TILES_IN_A_ROW) {
        cells.add(Map.of("filled", false));
      }
      rows.add(Map.of("cells", cells));
    }
    return rows;
  }

  private static Map<String, Object> figure(Kpi kpi) {
    KpiDefinition definition = kpi.definition();
    KpiResult result = kpi.result();
    Map<String, Object> all = new HashMap<>();
    all.put("id", definition.id());
    all.put("name", definition.naming().name());
    all.put("tool", definition.naming().tool());
    all.put("category", definition.naming().category());
    all.put("value", result.value() == null ? "–" : NumberText.format(result.value()));
    all.put("unit", result.value() == null ? "no data" : definition.display().unit());
    all.put("changed", "");
    all.put("arrow", "");
    all.put("changeClass", "neutral");
    change(definition, result, all);
    all.put(
        "inferences", result.inferences().stream().map(ReportTemplateModel::inference).toList());
    return all;
  }

  private static void change(KpiDefinition definition, KpiResult result, Map<String, Object> all) {
    if (!definition.querySpec().compared() || result.value() == null) {
      return;
    }
    Double previous = result.previous();
    if (previous == null) {
      all.put("changed", "nothing to compare with");
      return;
    }
    double change = result.value() - previous;
    if (change == 0) {
      all.put("changed", "as before");
      return;
    }
    GoodDirection goodDirection = definition.display().good();
    all.put("arrow", change > 0 ? "▲" : "▼");
    all.put(
        "changed",
        previous == 0 ? "from zero" : NumberText.percent(change / Math.abs(previous) * 100));
    all.put("changeClass", word(sentiment(goodDirection, change > 0)));
  }

  private static Sentiment sentiment(GoodDirection goodDirection, boolean up) {
    return switch (goodDirection) {
      case NEITHER -> Sentiment.NEUTRAL;
      case UP -> up ? Sentiment.POSITIVE : Sentiment.NEGATIVE;
      case DOWN -> up ? Sentiment.NEGATIVE : Sentiment.POSITIVE;
    };
  }

  private static Map<String, Object> inference(Inference inference) {
    Map<String, Object> all = new HashMap<>();
    all.put("text", inference.text());
    all.put("sentiment", word(inference.sentiment()));
    all.put(
        "mark",
        switch (inference.sentiment()) {
          case POSITIVE -> "✓";
          case NEGATIVE -> "!";
          case NEUTRAL -> "•";
        });
    return all;
  }

  private static String word(Sentiment sentiment) {
    return sentiment.name().toLowerCase(Locale.ROOT);
  }

  private List<Map<String, Object>> groups(List<Kpi> kpis) {
    Map<String, List<Map<String, Object>>> groups = new LinkedHashMap<>();
    for (Kpi kpi : kpis) {
      if (kpi.definition().display().look() != DisplayType.TILE) {
        groups
            .computeIfAbsent(kpi.definition().naming().group(), g -> new ArrayList<>())
            .add(block(kpi));
      }
    }
    List<Map<String, Object>> all = new ArrayList<>();
    groups.forEach((name, blocks) -> {
      // The heading belongs to the first block, so that a page never ends with it.
      blocks.getFirst().put("heading", name);
      all.add(Map.of("group", name, "kpis", blocks));
    });
    return all;
  }

  private Map<String, Object> block(Kpi kpi) {
    Map<String, Object> all = figure(kpi);
    all.put("heading", "");
    all.put("chart", "");
    all.put("chartText", chartText(kpi));
    all.put("chartNote", "");
    all.put("ranking", List.of());
    all.put("columns", List.of());
    all.put("rows", List.of());
    all.put("tables", List.of());
    all.put("more", "");
    KpiResult result = kpi.result();
    all.put("nothing", result.table().isEmpty());
    DisplayType displayType = kpi.definition().display().look();
    switch (displayType) {
      case TILE -> {}
      case LINE, BAR, PIE -> {
        String name = "chart-" + charts.size();
        ChartData whole = chart(kpi, displayType);
        ChartData drawn = whole.thinned();
        charts.put(name, drawn);
        all.put("chart", name);
        all.put("chartNote", note(whole.values().size(), drawn.values().size()));
        all.put("nothing", false);
      }
      case RANKING -> all.put("ranking", ranking(result.points()));
      case TABLE -> {
        TableLayout layout = new TableLayout(result.table(), MAX_ROWS);
        all.put("columns", layout.columns());
        all.put("rows", layout.rows());
        all.put("tables", result.table().isEmpty() ? List.of() : layout.parts());
      }
    }
    int left = displayType == DisplayType.TABLE ? result.table().rows().size() - MAX_ROWS : 0;
    left = displayType == DisplayType.RANKING ? result.points().size() - MAX_ROWS : left;
    all.put("more", left > 0 ? NumberText.format(left) : "");
    return all;
  }

  /** Returns a description of the chart for readers who cannot see it. */
  private static String chartText(Kpi kpi) {
    return kpi.definition().naming().name()
        + kpi.result().points().stream()
            .limit(MAX_ROWS)
            .map(p -> p.label() + ": " + NumberText.format(p.value()))
            .collect(Collectors.joining("; ", ": ", ""));
  }

  private static String note(int points, int drawn) {
    return drawn == points
        ? ""
        : "Drawn are %s of %s points: the lowest and the highest of each stretch."
            .formatted(NumberText.format(drawn), NumberText.format(points));
  }

  private static ChartData chart(Kpi kpi, DisplayType displayType) {
    ChartData.Kind kind =
        switch (displayType) {
          case LINE -> ChartData.Kind.LINE;
          case PIE -> ChartData.Kind.PIE;
          default -> ChartData.Kind.BAR;
        };
    List<SeriesPoint> points = kpi.result().points();
    KpiDefinition definition = kpi.definition();
    return new ChartData(
        kind,
        definition.naming().name(),
        definition.display().unit(),
        points.stream().map(SeriesPoint::label).toList(),
        points.stream().map(SeriesPoint::value).toList());
  }

  private static List<Map<String, Object>> ranking(List<SeriesPoint> points) {
    double most = points.stream().mapToDouble(p -> Math.abs(p.value())).max().orElse(0);
    List<Map<String, Object>> all = new ArrayList<>();
    for (SeriesPoint seriesPoint : points.subList(0, Math.min(points.size(), MAX_ROWS))) {
      Map<String, Object> one = new HashMap<>();
      one.put("label", seriesPoint.label());
      one.put("value", NumberText.format(seriesPoint.value()));
      double width = most == 0 ? 0 : Math.abs(seriesPoint.value()) / most * 100;
      one.put("width", String.format(Locale.ROOT, "%.1f", Math.max(0.5, width)));
      all.add(one);
    }
    return all;
  }
}
