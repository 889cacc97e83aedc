package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WakeResult;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Route;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Access;
import io.millrace.server.security.Role;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorCommandRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The operator actions on one instance. */
final class InstanceActionResource {

  private static final int REASON = 1000;
  private static final int MAX = 100;

  private final WorkflowClient client;
  private final InstanceAccess instances;
  private final ChangeFeed feed;

  InstanceActionResource(ApiContext context) {
    this.client = context.client();
    this.instances = context.instances();
    this.feed = context.feed();
  }

  /** An action that needs only a reason. */
  @FunctionalInterface
  interface SimpleAction {
    void apply(WorkflowClient client, long instanceId, OperatorAction action);
  }

  Route.Handler simple(SimpleAction action) {
    return request -> {
      WorkflowInstance instance = instances.find(request, Access.CONTROL);
      JsonFields body = request.body("reason");
      return done(instance, id -> action.apply(client, id, actionOf(request, body)));
    };
  }

  /** Wakes an instance; rejects the request if the instance is not in the expected state. */
  ApiResponse wake(ApiRequest request) throws IOException {
    WorkflowInstance instance = instances.find(request, Access.CONTROL);
    JsonFields body = request.body("expectedState", "reason");
    String expected = body.optionalText("expectedState", InstanceFilterReader.NAME);
    WakeResult result = client.wake(instance.id(), expected, actionOf(request, body));
    if (result == WakeResult.OTHER_STATE) {
      throw new InstanceConflictException(
          instance.id(),
          "Instance "
              + instance.id()
              + " is not in state '"
              + expected
              + "' as expected. Look at it again before you repeat this.");
    }
    feed.instanceChanged(instance.id(), instance.type());
    return ApiResponse.json(new Woken(result.code()));
  }

  /** The response to a wake. */
  record Woken(String result) {}

  ApiResponse move(ApiRequest request) throws IOException {
    WorkflowInstance instance = instances.find(request, Access.MODIFY);
    JsonFields body = request.body("state", "expectedState", "force", "reason");
    String state = body.text("state", 1, InstanceFilterReader.NAME);
    String expected = body.optionalText("expectedState", InstanceFilterReader.NAME);
    OperatorAction action = actionOf(request, body);
    return done(
        instance,
        body.flag("force")
            ? id -> client.forceMove(id, expected, state, action)
            : id -> client.move(id, expected, state, action));
  }

  ApiResponse editVariables(ApiRequest request) throws IOException {
    WorkflowInstance instance = instances.find(request, Access.MODIFY);
    JsonFields body = request.body("set", "remove", "reason");
    Map<String, @Nullable Object> changes = new LinkedHashMap<>();
    body.texts("remove", MAX, InstanceFilterReader.NAME).forEach(name -> changes.put(name, null));
    for (Map.Entry<String, JsonNode> member : body.members("set", MAX).entrySet()) {
      changes.put(member.getKey(), member.getValue());
    }
    return done(instance, id -> client.editVariables(id, changes, actionOf(request, body)));
  }

  private ApiResponse done(WorkflowInstance instance, LongConsumer action) {
    action.accept(instance.id());
    feed.instanceChanged(instance.id(), instance.type());
    return ApiResponse.empty();
  }

  static OperatorAction actionOf(ApiRequest request, JsonFields body) {
    return new OperatorAction(request.caller().actor(), body.optionalText("reason", REASON));
  }

  /** Returns the names of the actions that a caller of this role can do now, as in the contract. */
  static List<String> allowedActions(WorkflowInstance instance, @Nullable Role role) {
    List<String> possible = new ArrayList<>();
    if (InstancePermissions.allows(role, instance.type(), Access.CONTROL)) {
      addSteering(possible, instance);
    }
    if (InstancePermissions.allows(role, instance.type(), Access.MODIFY)) {
      addAltering(possible, instance);
    }
    return possible;
  }

  private static void addSteering(List<String> possible, WorkflowInstance instance) {
    add(possible, "wake", instance, new OperatorCommand.Wake());
    add(possible, "cancel", instance, new OperatorCommand.Cancel());
    add(possible, "pause", instance, new OperatorCommand.Pause());
    add(possible, "resume", instance, new OperatorCommand.Resume());
    add(possible, "retry", instance, new OperatorCommand.Retry());
  }

  private static void addAltering(List<String> possible, WorkflowInstance instance) {
    add(
        possible,
        "move",
        instance,
        new OperatorCommand.Move(
            instance.state(), InstanceStatus.IN_PROGRESS, Due.NOW, null, null));
    add(possible, "editVariables", instance, new OperatorCommand.EditVariables(Map.of()));
    if (!instance.status().isTerminal()) {
      possible.add("signal");
    }
  }

  private static void add(
      List<String> possible, String name, WorkflowInstance instance, OperatorCommand command) {
    if (!(OperatorCommandRules.effectOf(instance, command)
        instanceof OperatorCommandRules.Effect.Refuse)) {
      possible.add(name);
    }
  }
}
