package io.millrace.server.http;

import io.javalin.http.Context;
import io.millrace.server.security.CallerIdentity;
import io.millrace.server.security.RequestInfo;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A request, as its handler sees it. To be used on the handler's thread only. */
public final class ApiRequest {

  private final Context context;
  private final Route route;
  private final CallerIdentity callerIdentity;
  private final RequestBodyReader requestBodyReader;
  private final Map<String, List<String>> query;

  ApiRequest(
      Context context,
      Route route,
      CallerIdentity callerIdentity,
      RequestBodyReader requestBodyReader) {
    this.context = context;
    this.route = route;
    this.callerIdentity = callerIdentity;
    this.requestBodyReader = requestBodyReader;
    this.query = QueryString.parse(context.queryString());
    if (!route.ignoresUnknownParams()) {
      checkQuery();
    }
  }

  private void checkQuery() {
    List<String> known =
        route.params().stream()
            .filter(p -> p.place() == Param.Location.QUERY)
            .map(Param::name)
            .toList();
    for (String name : query.keySet()) {
      if (!known.contains(name)) {
        throw ProblemException.invalid(
            name.length() > 100 ? name.substring(0, 100) : name,
            "is no parameter of this address; "
                + (known.isEmpty() ? "it has none." : "expected some of " + known + "."));
      }
    }
  }

  /** Returns the sender of the request. */
  public CallerIdentity caller() {
    return callerIdentity;
  }

  /** Returns the request and the response of Javalin. */
  public Context context() {
    return context;
  }

  /** Returns the part of the request that security checks. */
  public RequestInfo requestInfo() {
    return new JavalinRequestInfo(context);
  }

  /** Returns the number in the path. */
  public long id() {
    return NumberParser.parse("id", context.pathParam("id"), 1, Long.MAX_VALUE);
  }

  /** Returns a text in the path. */
  public String path(String name, int max) {
    return InputText.checked(name, context.pathParam(name), 1, max);
  }

  /** Returns the parameter's value; null if it was not sent and has no fallback. */
  public <T> @Nullable T find(Param<T> param) {
    if (!route.params().contains(param)) {
      throw new IllegalStateException(
          "Operation "
              + route.operationId()
              + " reads '"
              + param.name()
              + "' without declaring it.");
    }
    return param.read(texts(param));
  }

  /** Returns the parameter's value, or its fallback. */
  public <T> T get(Param<T> param) {
    T value = find(param);
    if (value == null) {
      throw ProblemException.invalid(param.name(), "is missing.");
    }
    return value;
  }

  private List<String> texts(Param<?> param) {
    if (param.place() == Param.Location.QUERY) {
      return query.getOrDefault(param.name(), List.of());
    }
    String header = context.header(param.name());
    return header == null ? List.of() : List.of(header);
  }

  /** Returns the members of the body; none if it is empty. */
  public JsonFields body(String... known) throws IOException {
    return body(Set.of(known));
  }

  /** Returns the members of the body; none if it is empty. */
  public JsonFields body(Set<String> known) throws IOException {
    String text = requestBodyReader.read(context.req(), MediaType.JSON);
    return JsonFields.of(
        "",
        text.isBlank() ? JsonNodeFactory.instance.objectNode() : StrictJson.read("body", text),
        known);
  }

  /** Returns the body as any JSON; null if it is empty. */
  public @Nullable JsonNode bodyNode() throws IOException {
    String text = requestBodyReader.read(context.req(), MediaType.JSON);
    return text.isBlank() ? null : StrictJson.read("body", text);
  }

  /**
   * Returns the fields of a form by name; none if the body is empty.
   *
   * @throws ProblemException if a field occurs twice, or cannot be decoded
   */
  public Map<String, String> form() {
    Map<String, String> fields = new LinkedHashMap<>();
    QueryString.parse(requestBodyReader.read(context.req(), MediaType.FORM))
        .forEach((name, values) -> {
          if (values.size() > 1) {
            throw ProblemException.invalid(
                name.length() > 100 ? name.substring(0, 100) : name,
                "occurs " + values.size() + " times in the form; expected it once.");
          }
          fields.put(name, values.getFirst());
        });
    return fields;
  }
}
