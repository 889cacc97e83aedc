package io.millrace.report.kpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.source.QuerySource;
import io.millrace.report.source.ResultTable;
import io.millrace.report.source.SourceException;
import io.millrace.report.source.SourceQuery;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KpiEvaluatorTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  private final List<SourceQuery> asked = new ArrayList<>();

  private KpiResult evaluate(KpiDefinition kpi, QuerySource source) {
    QuerySource watched =
        sourceQuery -> {
          asked.add(sourceQuery);
          return source.read(sourceQuery);
        };
    return new KpiEvaluator(Map.of("s", watched), ZoneOffset.UTC).evaluate(kpi, WEEK);
  }

  private static KpiDefinition kpi() {
    return KpiDefinition.of("k", "K", "s", "q", "n");
  }

  private static ResultTable rows(Object... cells) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < cells.length; i += 2) {
      rows.add(List.of(cells[i], cells[i + 1]));
    }
    return new ResultTable(List.of("day", "n"), List.copyOf(rows));
  }

  @Test
  void theRowsAddUpAndTheWindowBeforeIsAskedForToo() {
    KpiResult result =
        evaluate(kpi(), q -> q.window().equals(WEEK) ? rows("mo", 3, "tu", 4L) : rows("mo", "2.5"));
    assertThat(result.value()).isEqualTo(7);
    assertThat(result.previous()).isEqualTo(2.5);
    assertThat(result.points()).containsExactly(new SeriesPoint("mo", 3), new SeriesPoint("tu", 4));
    assertThat(asked).extracting(q -> q.window().to()).containsExactly(WEEK.to(), WEEK.from());
  }

  @Test
  void everyAggregateHasItsValue() {
    QuerySource source =
        q ->
            new ResultTable(
                List.of("day", "n"),
                List.of(
                    List.of("mo", 3),
                    Arrays.asList("tu", null),
                    List.of("we", 1),
                    List.of("th", "5")));
    assertThat(evaluate(kpi().aggregate(Aggregate.SUM), source).value()).isEqualTo(9);
    assertThat(evaluate(kpi().aggregate(Aggregate.AVERAGE), source).value()).isEqualTo(3);
    assertThat(evaluate(kpi().aggregate(Aggregate.MIN), source).value()).isEqualTo(1);
    assertThat(evaluate(kpi().aggregate(Aggregate.MAX), source).value()).isEqualTo(5);
    assertThat(evaluate(kpi().aggregate(Aggregate.LAST), source).value()).isEqualTo(5);
    assertThat(evaluate(kpi().aggregate(Aggregate.COUNT), source).value()).isEqualTo(4);
  }

  @Test
  void decimalFractionsAddUpExactly() {
    QuerySource source = q -> rows("mo", 0.1, "tu", 0.2, "we", -0.3);
    assertThat(evaluate(kpi().aggregate(Aggregate.SUM), source).value()).isEqualTo(0.0);
    assertThat(evaluate(kpi().aggregate(Aggregate.AVERAGE), source).value()).isEqualTo(0.0);
    assertThat(evaluate(kpi(), q -> rows("mo", -0.0)).value()).isEqualTo(0.0);
  }

  @Test
  void aNumberThatLabelsAPointIsShownAsItIs() {
    KpiResult result = evaluate(kpi(), q -> rows(2026.0, 1, -0.0, 2, 1.0E7, 3));
    assertThat(result.points())
        .extracting(SeriesPoint::label)
        .containsExactly("2026", "0", "10000000");
  }

  @Test
  void aChartThatWouldLeaveAValueOutIsRefused() {
    for (DisplayType displayType :
        List.of(DisplayType.BAR, DisplayType.LINE, DisplayType.PIE, DisplayType.RANKING)) {
      KpiDefinition counted = kpi().aggregate(Aggregate.COUNT).look(displayType);
      for (Object cell : List.of("many", Double.NaN, Double.POSITIVE_INFINITY)) {
        assertThatThrownBy(() -> evaluate(counted, q -> rows("mo", 1, "tu", cell)))
            .isInstanceOf(SourceException.class)
            .hasMessageContaining("is '" + cell + "' in row 2");
      }
    }
  }

  @Test
  void noRowsAreNoValueButACountOfZero() {
    QuerySource source = q -> ResultTable.empty("day", "n");
    assertThat(evaluate(kpi(), source).value()).isNull();
    assertThat(evaluate(kpi(), source).previous()).isNull();
    assertThat(evaluate(kpi().aggregate(Aggregate.COUNT), source).value()).isZero();
  }

  @Test
  void aSplitWindowIsAskedForDayByDay() {
    KpiResult result =
        evaluate(
            kpi().split(WindowSplit.AUTO).notCompared(),
            q -> rows("x", q.window().from().equals(WEEK.from()) ? 10 : 1));
    assertThat(asked).hasSize(7);
    assertThat(result.value()).isEqualTo(16);
    assertThat(result.previous()).isNull();
    assertThat(result.points()).hasSize(7).startsWith(new SeriesPoint("2026-11-16", 10));
    assertThat(result.table().columns()).containsExactly("from", "n");
  }

  @Test
  void theContentsSeeTheFigure() {
    KpiResult result =
        evaluate(
            kpi().content(new ContentRule.Threshold(5, GoodDirection.UP, RuleMessages.standard())),
            q -> rows("mo", 7));
    assertThat(result.inferences()).extracting(Inference::finding).containsExactly(Finding.ABOVE);
  }

  @Test
  void whatIsNoFiniteNumberFailsInsteadOfLookingLikeNoData() {
    for (Object cell : List.of("many", "NaN", Double.NaN, Double.NEGATIVE_INFINITY)) {
      assertThatThrownBy(() -> evaluate(kpi(), q -> rows("mo", 1, "tu", cell)))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("KPI 'k': The field 'n' is '" + cell + "' in row 2");
      assertThat(evaluate(kpi().aggregate(Aggregate.COUNT), q -> rows("mo", 1, "tu", cell)).value())
          .isEqualTo(2);
    }
  }

  @Test
  void aPieAndARankingRefuseNegativeValues() {
    QuerySource source = q -> rows("gain", 500, "loss", -500);
    for (DisplayType displayType : List.of(DisplayType.PIE, DisplayType.RANKING)) {
      assertThatThrownBy(() -> evaluate(kpi().look(displayType), source))
          .hasMessageContaining("The value of 'loss' is -500")
          .hasMessageContaining("Use the look 'bar' or 'table'");
    }
    assertThat(evaluate(kpi().look(DisplayType.BAR), source).points()).hasSize(2);
  }

  @Test
  void errorsNameTheKpi() {
    assertThatThrownBy(
            () -> evaluate(kpi(), q -> new ResultTable(List.of("m"), List.of(List.of(1)))))
        .isInstanceOf(SourceException.class)
        .hasMessage("KPI 'k': There is no field 'n'; the query answers [m]");
    assertThatThrownBy(() -> evaluate(KpiDefinition.of("k", "K", "t", "q", "n"), q -> rows()))
        .hasMessage("KPI 'k': There is no data source 't'; expected one of [s]");
  }
}
