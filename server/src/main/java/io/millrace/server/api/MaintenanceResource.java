package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.notice.Maintenance;
import io.millrace.server.notice.MaintenancePlan;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.notice.MaintenanceStage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The operations on planned maintenance. */
final class MaintenanceResource {

  static final int TITLE = 200;
  static final int TEXT = 4000;
  static final int MAX_AFFECTED = 50;

  private static final Map<String, MaintenanceStage> STAGES =
      Param.codes(MaintenanceStage.values(), MaintenanceStage::code);
  private static final Map<String, MaintenancePlan.Impact> IMPACTS =
      Map.of(
          "none", MaintenancePlan.Impact.NONE,
          "delays", MaintenancePlan.Impact.DELAYS,
          "outage", MaintenancePlan.Impact.OUTAGE);

  private final MaintenanceService maintenanceService;
  private final AuditRecorder auditRecorder;

  MaintenanceResource(ApiContext context, MaintenanceService maintenanceService) {
    this.maintenanceService = maintenanceService;
    this.auditRecorder = new AuditRecorder(context);
  }

  /** Schema Maintenance. */
  record MaintenanceView(
      long id, String stage, List<String> next, PlanView plan, int revision, Instant since) {

    static MaintenanceView of(Maintenance one) {
      return new MaintenanceView(
          one.id(),
          one.stage().code(),
          one.stage().next().stream().map(MaintenanceStage::code).sorted().toList(),
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

  ApiResponse list(ApiRequest request) {
    return ApiResponse.json(maintenanceService.list().stream().map(MaintenanceView::of).toList());
  }

  ApiResponse get(ApiRequest request) {
    return ApiResponse.json(MaintenanceView.of(maintenanceService.get(request.id())));
  }

  ApiResponse plan(ApiRequest request) throws IOException {
    MaintenancePlan plan = planOf(request);
    long id = maintenanceService.plan(plan, request.find(StartResource.IDEMPOTENCY_KEY));
    auditRecorder.record(
        OperatorAction.by(request.caller().actor()), "planMaintenance", plan.title(), id, null);
    return new ApiResponse.Json(201, MaintenanceView.of(maintenanceService.get(id)));
  }

  ApiResponse change(ApiRequest request) throws IOException {
    MaintenancePlan plan = planOf(request);
    OperatorAction action = OperatorAction.by(request.caller().actor());
    maintenanceService.change(request.id(), plan, action);
    auditRecorder.record(action, "changeMaintenance", plan.title(), request.id(), null);
    return ApiResponse.empty();
  }

  ApiResponse advance(ApiRequest request) throws IOException {
    JsonFields body = request.body("to", "reason");
    MaintenanceStage to = body.choice("to", STAGES);
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    maintenanceService.advance(request.id(), to, action);
    auditRecorder.record(action, "advanceMaintenance", to.code(), request.id(), null);
    return ApiResponse.empty();
  }

  private static MaintenancePlan planOf(ApiRequest request) throws IOException {
    JsonFields body =
        request.body("title", "text", "affected", "impact", "from", "until", "automatic");
    String text = body.optionalText("text", TEXT);
    MaintenancePlan.Impact impact = body.optionalChoice("impact", IMPACTS);
    return new MaintenancePlan(
        body.text("title", 1, TITLE),
        text == null ? "" : text,
        body.texts("affected", MAX_AFFECTED, InstanceFilterReader.NAME),
        impact == null ? MaintenancePlan.Impact.NONE : impact,
        body.time("from"),
        body.time("until"),
        body.flag("automatic", true));
  }
}
