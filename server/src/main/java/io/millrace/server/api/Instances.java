package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.WhyHere;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.security.InstancePermissions.Use;
import io.millrace.server.security.StoredSecrets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists instances and shows one. */
final class Instances {

  static final Param<Integer> LIMIT = Param.number("limit", 1, InstanceQuery.MAX_LIMIT, 50);
  static final Param<String> CURSOR = Param.text("cursor", 200);
  static final Param<Integer> CAP = Param.number("cap", 1, 1_000_000, 10_000);

  private final WorkflowClient client;
  private final Sources sources;

  Instances(Sources sources) {
    this.client = sources.client();
    this.sources = sources;
  }

  /** Schema InstancePage. */
  record PageView(List<InstanceView> items, @Nullable String next) {}

  /** Schema Count. */
  record CountView(long count, boolean capped) {}

  Answer list(Call call) {
    Page<WorkflowInstance> page =
        client.search(
            sources
                .instances()
                .query(call, Filters.of(call))
                .limit(call.get(LIMIT))
                .after(call.find(CURSOR)));
    return Answer.json(
        new PageView(page.items().stream().map(InstanceView::of).toList(), page.next()));
  }

  Answer count(Call call) {
    int cap = call.get(CAP);
    int count = sources.operations().count(sources.instances().query(call, Filters.of(call)), cap);
    return Answer.json(new CountView(count, count >= cap));
  }

  Answer get(Call call) {
    WorkflowInstance instance = sources.instances().find(call, Use.READ);
    WhyHere why = client.whyHere(instance.id());
    String input = sources.store().queries().input(instance.id()).orElse(null);
    boolean secret = StoredSecrets.isSecret(input);
    return Answer.json(
        new DetailView(
            InstanceView.of(instance),
            input == null || secret ? null : sources.secretNames().mask(input),
            secret,
            WhyView.of(why, isManual(instance)),
            Deeds.possible(instance, call.caller().role()),
            sources.stuck().of(instance.id())));
  }

  /** True when its state is one that only a person leaves. */
  private boolean isManual(WorkflowInstance instance) {
    return instance.status() == InstanceStatus.MANUAL
        && sources.client().definitions().stream()
            .filter(d -> d.type().equals(instance.type()) && d.version() == instance.version())
            .flatMap(d -> d.states().stream())
            .anyMatch(s -> s.name().equals(instance.state()) && s.type().equals("manual"));
  }
}
