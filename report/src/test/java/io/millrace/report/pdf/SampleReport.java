package io.millrace.report.pdf;

import io.millrace.report.kpi.Aggregate;
import io.millrace.report.kpi.ContentRule;
import io.millrace.report.kpi.DisplayType;
import io.millrace.report.kpi.GoodDirection;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiEvaluator;
import io.millrace.report.kpi.RuleMessages;
import io.millrace.report.pdf.ReportContent.Heading;
import io.millrace.report.pdf.ReportContent.Kpi;
import io.millrace.report.source.QuerySource;
import io.millrace.report.source.ResultTable;
import io.millrace.schedule.DataWindow;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reports from fixed data. The main method writes them into a folder, for inspection. */
public final class SampleReport {

  static final ZoneId ZONE = ZoneOffset.UTC;
  static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  private static final QuerySource SHOP =
      query -> {
        boolean now = !query.window().from().isBefore(WEEK.from());
        return switch (query.text()) {
          case "orders by day" ->
              days(
                  now
                      ? List.of(112, 130, 98, 141, 187, 64, 40)
                      : List.of(88, 120, 101, 118, 150, 71, 52));
          case "revenue" -> figure(now ? 48211.5 : 45100);
          case "complaints" -> figure(now ? 14 : 6);
          case "minutes to pack" ->
              days(
                  now
                      ? List.of(31.5, 30, 33, 28.25, 26, 24.5, 24)
                      : List.of(30, 31, 31, 30, 32, 33, 31));
          case "channels" ->
              table(
                  "channel",
                  "orders",
                  "Web shop",
                  410,
                  "Telephone",
                  120,
                  "Market place",
                  188,
                  "Branch",
                  54);
          case "many rows" ->
              new ResultTable(
                  List.of("order", "orders"),
                  IntStream.range(0, 60).mapToObj(i -> List.<Object>of("order " + i, i)).toList());
          case "exact rows" ->
              new ResultTable(
                  List.of("year", "visits", "revenue", "share"),
                  List.of(
                      List.of(2026, 48_210_339L, new BigDecimal("1234.56"), 0.0004),
                      List.of(2025, 9_007_199_254_740_993L, new BigDecimal("-0.125"), 2.0 / 3)));
          case "scripts" -> table("name", "orders", "订単", 3, "plain", 2);
          case "wide" ->
              new ResultTable(
                  IntStream.range(0, 16).mapToObj(i -> "a_column_of_the_table_" + i).toList(),
                  List.of(
                      IntStream.range(0, 16)
                          .mapToObj(i ->
                              i % 3 == 0 ? (Object) (123456789.123456 + i) : "x".repeat(i * 20))
                          .toList()));
          case "long" ->
              table("name", "n", "x".repeat(300), 1, "https://e.org/" + "y".repeat(300), 2);
          case "by the minute" ->
              new ResultTable(
                  List.of("place", "orders"),
                  IntStream.range(0, 10_000)
                      .mapToObj(i -> List.<Object>of("Bristol", i % 97 + i / 250))
                      .toList());
          case "errors by day" ->
              days(List.of(0.0004, 0.0002, 0.00031, 0, 0.0001, 0.00025, 0.0003));
          case "late" -> ResultTable.empty("order", "days");
          case "products" ->
              table(
                  "product",
                  "orders",
                  "Espresso machine “Crema”",
                  88,
                  "Grinder",
                  61,
                  "Καφές, 1 kg",
                  44,
                  "Самовар, латунь",
                  23,
                  "Filter paper, unbleached, large box of 400",
                  19);
          default -> throw new IllegalArgumentException(query.text());
        };
      };

  private SampleReport() {}

  private static ResultTable days(List<? extends Number> values) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      rows.add(List.of("2026-11-" + (16 + i), values.get(i)));
    }
    return new ResultTable(List.of("day", "value"), List.copyOf(rows));
  }

  private static ResultTable figure(Number value) {
    return new ResultTable(List.of("value"), List.of(List.of(value)));
  }

  private static ResultTable table(String label, String value, Object... cells) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < cells.length; i += 2) {
      rows.add(List.of(cells[i], cells[i + 1]));
    }
    return new ResultTable(List.of(label, value), List.copyOf(rows));
  }

  static List<KpiDefinition> shop() {
    return List.of(
        KpiDefinition.of("orders", "Orders", "shop", "orders by day", "value")
            .group("Sales")
            .look(DisplayType.BAR)
            .good(GoodDirection.UP)
            .content(new ContentRule.Comparison(5, GoodDirection.UP, RuleMessages.standard()))
            .content(new ContentRule.MinMax(RuleMessages.standard())),
        KpiDefinition.of("revenue", "Revenue", "shop", "revenue", "value")
            .group("Sales")
            .unit("EUR")
            .good(GoodDirection.UP)
            .content(new ContentRule.Threshold(45_000, GoodDirection.UP, RuleMessages.standard())),
        KpiDefinition.of("complaints", "Complaints", "shop", "complaints", "value")
            .group("Service")
            .good(GoodDirection.DOWN)
            .content(new ContentRule.ThresholdRange(0, 10, RuleMessages.standard())),
        KpiDefinition.of("packing", "Time to pack", "shop", "minutes to pack", "value")
            .group("Service")
            .look(DisplayType.LINE)
            .unit("minutes")
            .good(GoodDirection.DOWN)
            .aggregate(Aggregate.AVERAGE)
            .content(new ContentRule.Trend(5, GoodDirection.DOWN, RuleMessages.standard())),
        KpiDefinition.of("channels", "Orders by channel", "shop", "channels", "orders")
            .group("Sales")
            .look(DisplayType.PIE)
            .withoutTile(),
        KpiDefinition.of("late", "Late orders", "shop", "late", "days")
            .group("Service")
            .look(DisplayType.TABLE)
            .unit("days")
            .content(new ContentRule.Threshold(3, GoodDirection.DOWN, RuleMessages.standard())),
        KpiDefinition.of("products", "Products", "shop", "products", "orders")
            .group("Sales")
            .look(DisplayType.RANKING)
            .withoutTile());
  }

  /**
   * Returns KPIs that need care: exact numbers, small ones, and more points than a chart can show.
   */
  static List<KpiDefinition> figures() {
    return List.of(
        KpiDefinition.of("exact", "Exact numbers", "shop", "exact rows", "revenue")
            .look(DisplayType.TABLE)
            .withoutTile(),
        KpiDefinition.of("errors", "Share of errors", "shop", "errors by day", "value")
            .look(DisplayType.BAR)
            .aggregate(Aggregate.AVERAGE),
        KpiDefinition.of("minutes", "Orders by the minute", "shop", "by the minute", "orders")
            .look(DisplayType.LINE)
            .withoutTile(),
        KpiDefinition.of("places", "Orders by place", "shop", "by the minute", "orders")
            .look(DisplayType.BAR)
            .withoutTile());
  }

  /** Returns a table and texts that are wider than a page unless they are broken or split. */
  static List<KpiDefinition> wide() {
    return List.of(
        KpiDefinition.of(
                "wide", "Wide" + "W".repeat(200), "shop", "wide", "a_column_of_the_table_0")
            .look(DisplayType.TABLE)
            .unit("u".repeat(100)),
        KpiDefinition.of("long", "Long", "shop", "long", "n").look(DisplayType.TABLE).withoutTile(),
        KpiDefinition.of("rank", "Ranking", "shop", "long", "n").look(DisplayType.RANKING));
  }

  static ReportContent content(String title, List<KpiDefinition> kpis) {
    KpiEvaluator evaluator = new KpiEvaluator(Map.of("shop", SHOP), ZONE);
    return new ReportContent(
        new Heading("shop-week", title, 1795231348784L, Instant.parse("2026-11-23T06:00:00Z")),
        WEEK,
        ZONE,
        kpis.stream().map(k -> new Kpi(k, evaluator.evaluate(k, WEEK))).toList());
  }

  /** Returns copies of the same KPIs, with ids of their own. */
  static List<KpiDefinition> many(int count) {
    List<KpiDefinition> shop = shop();
    return IntStream.range(0, count)
        .mapToObj(i -> {
          KpiDefinition one = shop.get(i % shop.size());
          return new KpiDefinition(
              one.id() + "-" + i,
              one.naming(),
              one.querySpec(),
              one.display(),
              one.contents(),
              true);
        })
        .toList();
  }

  /** Writes the samples into the folder that the first argument names. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Files.createDirectories(folder);
    PdfReportRenderer reports = new PdfReportRenderer(ReportTemplates.shipped());
    write(folder, "one", reports, content("One figure", shop().subList(0, 1)));
    write(folder, "shop", reports, content("The shop’s week", shop()));
    write(
        folder,
        "forty",
        reports,
        content(
            "Forty figures, with a title so long that it takes more than one line of the page and must wrap",
            many(40)));
    write(folder, "figures", reports, content("Figures", figures()));
    write(folder, "wide", reports, content("Wide " + "M".repeat(200), wide()));
    write(folder, "none", reports, content("Nothing", List.of()));
  }

  private static void write(
      Path folder, String name, PdfReportRenderer reports, ReportContent content)
      throws IOException {
    Files.write(
        folder.resolve(name + ".pdf"), reports.render(content, ReportTemplates.DEFAULT).pdf());
  }
}
