package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.bulk.InstanceFilter;
import io.millrace.server.http.Call;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Use;
import io.millrace.server.security.SecretNames;
import java.util.List;
import java.util.Set;

/** Access of requests to instances. Every route that reads or changes an instance uses it. */
final class InstanceAccess {

  private final WorkflowClient client;
  private final SecretNames secretNames;

  InstanceAccess(WorkflowClient client, SecretNames secretNames) {
    this.client = client;
    this.secretNames = secretNames;
  }

  /**
   * Returns the instance whose number is in the path.
   *
   * @throws ProblemException if the caller may not use it so
   */
  WorkflowInstance find(Call call, Use use) {
    WorkflowInstance instance = client.get(call.id());
    check(call, instance.type(), "Instance " + instance.id() + " is of type", use);
    return instance;
  }

  /** Returns the query of a filter, limited to what the caller may read. */
  InstanceQuery query(Call call, InstanceFilter filter) {
    check(call, filter.type());
    checkVariable(filter);
    return filter.type().isEmpty() ? readable(call, filter.query()) : filter.query();
  }

  /** Returns a query of all types, limited to those that the caller may read. */
  static InstanceQuery readable(Call call, InstanceQuery query) {
    Set<String> hidden = InstancePermissions.unreadable(call.caller().role());
    return hidden.isEmpty() ? query : query.withoutTypes(hidden);
  }

  /**
   * Refuses a search by a value that is not shown, since its answer tells whether a guess is right.
   */
  void checkVariable(InstanceFilter filter) {
    String variable = filter.variable();
    if (variable != null && secretNames.covers(variable)) {
      throw ProblemException.invalid(
          "variable",
          "is '"
              + variable
              + "', which is secret by its name, so that instances cannot be found by it. Search by a"
              + " business key or by another variable.");
    }
  }

  /** Refuses types whose instances the caller may not read. */
  static void check(Call call, List<String> types) {
    types.forEach(type -> check(call, type, "The filter names type", Use.READ));
  }

  private static void check(Call call, String type, String what, Use use) {
    if (!InstancePermissions.allows(call.caller().role(), type, use)) {
      throw ProblemException.of(
          403,
          what
              + " '"
              + type
              + "', which is the server's own; this needs the role "
              + InstancePermissions.needed(type, use).text()
              + ".");
    }
  }

  /** Returns true if the caller may read instances of this type. */
  static boolean reads(Call call, String type) {
    return InstancePermissions.allows(call.caller().role(), type, Use.READ);
  }
}
