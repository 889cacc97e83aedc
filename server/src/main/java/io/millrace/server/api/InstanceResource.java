package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.security.InstancePermissions.Access;
import io.millrace.server.security.SealedValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of instances, and the details of one. */
final class InstanceResource {

  static final Param<Integer> LIMIT = Param.number("limit", 1, InstanceQuery.MAX_LIMIT, 50);
  static final Param<String> CURSOR = Param.text("cursor", 200);
  static final Param<Integer> CAP = Param.number("cap", 1, 1_000_000, 10_000);

  private final WorkflowClient client;
  private final ApiContext context;

  InstanceResource(ApiContext context) {
    this.client = context.client();
    this.context = context;
  }

  /** Schema InstancePage. */
  record PageView(List<InstanceView> items, @Nullable String next) {}

  /** Schema Count. */
  record CountView(long count, boolean capped) {}

  ApiResponse list(ApiRequest request) {
    Page<WorkflowInstance> page =
        client.search(
            context
                .instances()
                .query(request, InstanceFilterReader.of(request))
                .limit(request.get(LIMIT))
                .after(request.find(CURSOR)));
    return ApiResponse.json(
        new PageView(page.items().stream().map(InstanceView::of).toList(), page.next()));
  }

  ApiResponse count(ApiRequest request) {
    int cap = request.get(CAP);
    int count =
        context
            .admin()
            .count(context.instances().query(request, InstanceFilterReader.of(request)), cap);
    return ApiResponse.json(new CountView(count, count >= cap));
  }

  ApiResponse get(ApiRequest request) {
    WorkflowInstance instance = context.instances().find(request, Access.READ);
    StatusReason why = client.statusReason(instance.id());
    String input = context.store().queries().input(instance.id()).orElse(null);
    boolean secret = SealedValues.isSecret(input);
    return ApiResponse.json(
        new InstanceDetailView(
            InstanceView.of(instance),
            input == null || secret ? null : context.secretNames().mask(input),
            secret,
            StatusReasonView.of(why, isManual(instance)),
            InstanceActionResource.allowedActions(instance, request.caller().role()),
            context.stuck().of(instance.id())));
  }

  /** True if the instance is in a state that only an operator can leave. */
  private boolean isManual(WorkflowInstance instance) {
    return instance.status() == InstanceStatus.MANUAL
        && context.client().definitions().stream()
            .filter(d -> d.type().equals(instance.type()) && d.version() == instance.version())
            .flatMap(d -> d.states().stream())
            .anyMatch(s -> s.name().equals(instance.state()) && s.type().equals("manual"));
  }
}
