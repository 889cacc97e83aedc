package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.Deed;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Route;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Use;
import io.millrace.server.security.Role;
import io.millrace.store.DeedCommand;
import io.millrace.store.DeedRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is done to one instance by hand. */
final class Deeds {

  private static final int REASON = 1000;
  private static final int MOST = 100;

  private final WorkflowClient client;
  private final InstanceAccess instances;
  private final ChangeFeed feed;

  Deeds(Sources sources) {
    this.client = sources.client();
    this.instances = sources.instances();
    this.feed = sources.feed();
  }

  /** A deed that needs nothing but a reason. */
  @FunctionalInterface
  interface Simple {
    void apply(WorkflowClient client, long instanceId, Deed deed);
  }

  Route.Handler simple(Simple deed) {
    return call -> {
      WorkflowInstance instance = instances.find(call, Use.STEER);
      Fields body = call.body("reason");
      return done(instance, id -> deed.apply(client, id, by(call, body)));
    };
  }

  Answer move(Call call) throws IOException {
    WorkflowInstance instance = instances.find(call, Use.ALTER);
    Fields body = call.body("state", "expectedState", "reason");
    String state = body.text("state", 1, Filters.NAME);
    String expected = body.optionalText("expectedState", Filters.NAME);
    return done(instance, id -> client.move(id, expected, state, by(call, body)));
  }

  Answer editVariables(Call call) throws IOException {
    WorkflowInstance instance = instances.find(call, Use.ALTER);
    Fields body = call.body("set", "remove", "reason");
    Map<String, @Nullable Object> changes = new LinkedHashMap<>();
    body.texts("remove", MOST, Filters.NAME).forEach(name -> changes.put(name, null));
    for (Map.Entry<String, JsonNode> member : body.members("set", MOST).entrySet()) {
      changes.put(member.getKey(), member.getValue());
    }
    return done(instance, id -> client.editVariables(id, changes, by(call, body)));
  }

  private Answer done(WorkflowInstance instance, LongConsumer deed) {
    deed.accept(instance.id());
    feed.instance(instance.id(), instance.type());
    return Answer.empty();
  }

  static Deed by(Call call, Fields body) {
    return new Deed(call.caller().actor(), body.optionalText("reason", REASON));
  }

  /** Returns what a caller of this role can do now, in the words of the contract. */
  static List<String> possible(WorkflowInstance instance, @Nullable Role role) {
    List<String> possible = new ArrayList<>();
    if (InstancePermissions.allows(role, instance.type(), Use.STEER)) {
      addSteering(possible, instance);
    }
    if (InstancePermissions.allows(role, instance.type(), Use.ALTER)) {
      addAltering(possible, instance);
    }
    return possible;
  }

  private static void addSteering(List<String> possible, WorkflowInstance instance) {
    add(possible, "wake", instance, new DeedCommand.Wake());
    add(possible, "cancel", instance, new DeedCommand.Cancel());
    add(possible, "pause", instance, new DeedCommand.Pause());
    add(possible, "resume", instance, new DeedCommand.Resume());
    add(possible, "retry", instance, new DeedCommand.Retry());
  }

  private static void addAltering(List<String> possible, WorkflowInstance instance) {
    add(
        possible,
        "move",
        instance,
        new DeedCommand.Move(instance.state(), InstanceStatus.IN_PROGRESS, Due.NOW, null, null));
    add(possible, "editVariables", instance, new DeedCommand.EditVariables(Map.of()));
    if (!instance.status().isTerminal()) {
      possible.add("signal");
    }
  }

  private static void add(
      List<String> possible, String name, WorkflowInstance instance, DeedCommand command) {
    if (!(DeedRules.plan(instance, command) instanceof DeedRules.Plan.Refuse)) {
      possible.add(name);
    }
  }
}
