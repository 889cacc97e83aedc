package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.Page;
import io.millrace.instance.WhyHere;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Json;
import io.millrace.server.http.Param;
import io.millrace.server.security.Permission;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Lists instances and shows one. */
final class Instances {

  static final Param<Integer> LIMIT = Param.number("limit", 1, InstanceQuery.MAX_LIMIT, 50);
  static final Param<String> CURSOR = Param.text("cursor", 200);
  static final Param<Integer> CAP = Param.number("cap", 1, 1_000_000, 10_000);

  private final WorkflowClient client;
  private final StuckBoard stuck;

  Instances(WorkflowClient client, StuckBoard stuck) {
    this.client = client;
    this.stuck = stuck;
  }

  /** Schema InstancePage. */
  record PageView(List<InstanceView> items, @Nullable String next) {}

  /** Schema Count. */
  record CountView(long count, boolean capped) {}

  Answer list(Call call) {
    Page<WorkflowInstance> page =
        client.search(Filters.of(call).query().limit(call.get(LIMIT)).after(call.find(CURSOR)));
    return Answer.json(
        new PageView(page.items().stream().map(InstanceView::of).toList(), page.next()));
  }

  Answer count(Call call) {
    int cap = call.get(CAP);
    InstanceQuery query = Filters.of(call).query().limit(Math.min(cap, InstanceQuery.MAX_LIMIT));
    long count = 0;
    String cursor = null;
    do {
      Page<WorkflowInstance> page = client.search(query.after(cursor));
      count += page.items().size();
      cursor = page.next();
    } while (cursor != null && count < cap);
    return Answer.json(new CountView(Math.min(count, cap), cursor != null || count > cap));
  }

  Answer get(Call call) {
    WorkflowInstance instance = client.get(call.id());
    WhyHere why = client.whyHere(instance.id());
    boolean operates = Permission.OPERATOR.allows(call.caller().role());
    return Answer.json(
        new DetailView(
            InstanceView.of(instance),
            client.input(instance.id(), JsonNode.class).map(Json::write).orElse(null),
            false,
            WhyView.of(why, false),
            operates ? Deeds.possible(instance) : List.of(),
            stuck.of(instance.id())));
  }
}
