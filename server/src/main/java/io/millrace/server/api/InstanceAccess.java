package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.bulk.InstanceFilter;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Access;
import io.millrace.server.security.SecretNames;
import java.util.List;
import java.util.Set;

/** The access of requests to instances. Every route that reads or changes an instance uses it. */
final class InstanceAccess {

  private final WorkflowClient client;
  private final SecretNames secretNames;

  InstanceAccess(WorkflowClient client, SecretNames secretNames) {
    this.client = client;
    this.secretNames = secretNames;
  }

  /**
   * Returns the instance with the number in the path.
   *
   * @throws ProblemException if the caller does not have this access
   */
  WorkflowInstance find(ApiRequest request, Access access) {
    WorkflowInstance instance = client.get(request.id());
    check(request, instance.type(), "Instance " + instance.id() + " is of type", access);
    return instance;
  }

  /** Returns the query for a filter, limited to what the caller may read. */
  InstanceQuery query(ApiRequest request, InstanceFilter filter) {
    check(request, filter.type());
    checkVariable(filter);
    return filter.type().isEmpty() ? readable(request, filter.query()) : filter.query();
  }

  /** Returns a query of all types, limited to those that the caller may read. */
  static InstanceQuery readable(ApiRequest request, InstanceQuery query) {
    Set<String> hidden = InstancePermissions.unreadable(request.caller().role());
    return hidden.isEmpty() ? query : query.withoutTypes(hidden);
  }

  /** Rejects a search by a value that is not shown, since the result would confirm a guess. */
  void checkVariable(InstanceFilter filter) {
    String variable = filter.variable();
    if (variable != null && secretNames.isSecret(variable)) {
      throw ProblemException.invalid(
          "variable",
          "is '"
              + variable
              + "', which is secret by its name, so that instances cannot be found by it. Search by"
              + " a business key or by another variable.");
    }
    String value = filter.value();
    if (value != null && secretNames.holdsSecret(value)) {
      throw ProblemException.invalid(
          "value",
          "holds a secret, by the name of a member or as '$secret', so that instances cannot be"
              + " found by it. Search by a business key or by another variable.");
    }
  }

  /** Rejects types whose instances the caller may not read. */
  static void check(ApiRequest request, List<String> types) {
    types.forEach(type -> check(request, type, "The filter names type", Access.READ));
  }

  private static void check(ApiRequest request, String type, String what, Access access) {
    if (!InstancePermissions.allows(request.caller().role(), type, access)) {
      throw ProblemException.of(
          403,
          what
              + " '"
              + type
              + "', which is the server's own; this needs the role "
              + InstancePermissions.needed(type, access).text()
              + ".");
    }
  }

  /** Returns true if the caller may read instances of this type. */
  static boolean reads(ApiRequest request, String type) {
    return InstancePermissions.allows(request.caller().role(), type, Access.READ);
  }
}
