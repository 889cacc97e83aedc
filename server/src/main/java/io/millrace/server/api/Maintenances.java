package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Param;
import io.millrace.server.notice.Maintenance;
import io.millrace.server.notice.MaintenancePlan;
import io.millrace.server.notice.Notices;
import io.millrace.server.notice.Stage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Planned maintenance. */
final class Maintenances {

  static final int TITLE = 200;
  static final int TEXT = 4000;
  static final int MOST_AFFECTED = 50;

  private static final Map<String, Stage> STAGES = Param.codes(Stage.values(), Stage::code);
  private static final Map<String, MaintenancePlan.Impact> IMPACTS =
      Map.of(
          "none", MaintenancePlan.Impact.NONE,
          "delays", MaintenancePlan.Impact.DELAYS,
          "outage", MaintenancePlan.Impact.OUTAGE);

  private final Notices notices;
  private final Trail trail;

  Maintenances(Sources sources, Notices notices) {
    this.notices = notices;
    this.trail = new Trail(sources);
  }

  /** Schema Maintenance. */
  record MaintenanceView(
      long id, String stage, List<String> next, PlanView plan, int revision, Instant since) {

    static MaintenanceView of(Maintenance one) {
      return new MaintenanceView(
          one.id(),
          one.stage().code(),
          one.stage().next().stream().map(Stage::code).sorted().toList(),
          PlanView.of(one.plan()),
          one.revision(),
          one.since());
    }
  }

  /** Schema MaintenancePlan. */
  record PlanView(
      String title,
      String text,
      List<String> affected,
      String impact,
      Instant from,
      Instant until,
      boolean automatic) {

    static PlanView of(MaintenancePlan plan) {
      String impact =
          IMPACTS.entrySet().stream()
              .filter(e -> e.getValue() == plan.impact())
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow();
      return new PlanView(
          plan.title(),
          plan.text(),
          plan.affected(),
          impact,
          plan.from(),
          plan.until(),
          plan.automatic());
    }
  }

  Answer list(Call call) {
    return Answer.json(notices.list().stream().map(MaintenanceView::of).toList());
  }

  Answer get(Call call) {
    return Answer.json(MaintenanceView.of(notices.get(call.id())));
  }

  Answer plan(Call call) throws IOException {
    MaintenancePlan plan = planOf(call);
    long id = notices.plan(plan, call.find(Starts.IDEMPOTENCY_KEY));
    trail.done(Deed.by(call.caller().actor()), "planMaintenance", plan.title(), id, null);
    return new Answer.Json(201, MaintenanceView.of(notices.get(id)));
  }

  Answer change(Call call) throws IOException {
    MaintenancePlan plan = planOf(call);
    Deed deed = Deed.by(call.caller().actor());
    notices.change(call.id(), plan, deed);
    trail.done(deed, "changeMaintenance", plan.title(), call.id(), null);
    return Answer.empty();
  }

  Answer advance(Call call) throws IOException {
    Fields body = call.body("to", "reason");
    Stage to = body.choice("to", STAGES);
    Deed deed = Deeds.by(call, body);
    notices.advance(call.id(), to, deed);
    trail.done(deed, "advanceMaintenance", to.code(), call.id(), null);
    return Answer.empty();
  }

  private static MaintenancePlan planOf(Call call) throws IOException {
    Fields body = call.body("title", "text", "affected", "impact", "from", "until", "automatic");
    String text = body.optionalText("text", TEXT);
    MaintenancePlan.Impact impact = body.optionalChoice("impact", IMPACTS);
    return new MaintenancePlan(
        body.text("title", 1, TITLE),
        text == null ? "" : text,
        body.texts("affected", MOST_AFFECTED, Filters.NAME),
        impact == null ? MaintenancePlan.Impact.NONE : impact,
        body.time("from"),
        body.time("until"),
        body.flag("automatic", true));
  }
}
