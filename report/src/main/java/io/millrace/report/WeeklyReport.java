package io.millrace.report;

import io.millrace.report.kpi.ContentRule.Comparison;
import io.millrace.report.kpi.ContentRule.MinMax;
import io.millrace.report.kpi.ContentRule.Trend;
import io.millrace.report.kpi.DisplayType;
import io.millrace.report.kpi.GoodDirection;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.RuleMessages;
import java.util.List;

/** The ready-made report of a git repository, over the data source {@code git}. */
final class WeeklyReport {

  static final String NAME = "weekly-report";
  static final String SOURCE = "git";

  private static final String TOTALS = "totals";
  private static final String BY_DAY = "by day";
  private static final String ACTIVITY = "Activity";
  private static final String WHERE = "Where it happened";

  private WeeklyReport() {}

  static ReportDefinition definition(String repository) {
    List<String> ids = kpis().stream().map(KpiDefinition::id).toList();
    return ReportDefinition.of(NAME, repository, ids.toArray(new String[0]));
  }

  static List<KpiDefinition> kpis() {
    return List.of(
        git("git-commits", "Commits", BY_DAY, "commits")
            .group(ACTIVITY)
            .look(DisplayType.BAR)
            .content(new Comparison(5, GoodDirection.NEITHER, RuleMessages.standard()))
            .content(new MinMax(RuleMessages.standard())),
        git("git-authors", "Authors", TOTALS, "authors"),
        git("git-files", "Files changed", TOTALS, "files"),
        git("git-added", "Lines added", TOTALS, "added"),
        git("git-removed", "Lines removed", TOTALS, "removed"),
        git("git-changed", "Lines changed", BY_DAY, "changed")
            .group(ACTIVITY)
            .look(DisplayType.LINE)
            .content(new Trend(10, GoodDirection.NEITHER, RuleMessages.standard()))
            .content(new MinMax(RuleMessages.standard())),
        git("git-by-author", "Commits by author", "by author top 10", "commits")
            .group(ACTIVITY)
            .look(DisplayType.RANKING)
            .withoutTile()
            .notCompared(),
        git("git-by-file", "Busiest files, by commits", "by file top 10", "commits")
            .group(WHERE)
            .look(DisplayType.RANKING)
            .withoutTile()
            .notCompared(),
        git("git-largest", "Largest commits", "largest commits top 6", "changed")
            .group(WHERE)
            .look(DisplayType.TABLE)
            .withoutTile()
            .notCompared());
  }

  private static KpiDefinition git(String id, String name, String query, String field) {
    return KpiDefinition.of(id, name, SOURCE, query, field);
  }
}
