package io.millrace.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The contract, read from its file. */
final class OpenApiDocument {

  private static final String BASE = "/api/v1";

  /** Read once, because that takes longer than most tests. */
  static final OpenApiDocument CONTRACT = new OpenApiDocument();

  private final Map<String, Object> document;
  private final List<Operation> operations = new ArrayList<>();

  /** An operation; paths start at the context path. */
  record Operation(
      String method,
      String path,
      String operationId,
      String permission,
      Set<String> query,
      Set<String> headers,
      Map<String, Object> responses) {

    boolean matches(String otherMethod, String otherPath) {
      return method.equals(otherMethod)
          && otherPath.matches(path.replaceAll("\\{[a-zA-Z]+}", "[^/]+"));
    }
  }

  private OpenApiDocument() {
    try (InputStream in =
        OpenApiDocument.class.getResourceAsStream("/io/millrace/server/openapi.yaml")) {
      LoaderOptions options = new LoaderOptions();
      options.setMaxAliasesForCollections(1000);
      document = new Yaml(new SafeConstructor(options)).load(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    map(document, "paths").forEach((path, item) -> addAll(path, map(item)));
  }

  private void addAll(String path, Map<String, Object> item) {
    for (String method : List.of("get", "post", "put", "patch", "delete")) {
      if (item.get(method) != null) {
        operations.add(operation(method, path, item, map(item, method)));
      }
    }
  }

  private Operation operation(
      String method, String path, Map<String, Object> item, Map<String, Object> operation) {
    List<Object> parameters = new ArrayList<>(list(item, "parameters"));
    parameters.addAll(list(operation, "parameters"));
    Operation made =
        new Operation(
            method.toUpperCase(Locale.ROOT),
            item.containsKey("servers") ? path : BASE + path,
            (String) operation.get("operationId"),
            (String) operation.get("x-permission"),
            new TreeSet<>(),
            new TreeSet<>(),
            map(operation, "responses"));
    for (Object parameter : parameters) {
      Map<String, Object> resolved = resolve(map(parameter));
      if (Objects.equals(resolved.get("in"), "query")) {
        made.query.add((String) resolved.get("name"));
      } else if (Objects.equals(resolved.get("in"), "header")) {
        made.headers.add((String) resolved.get("name"));
      }
    }
    return made;
  }

  List<Operation> operations() {
    return operations;
  }

  Optional<Operation> find(String method, String path) {
    return operations.stream()
        .filter(o -> o.matches(method, path))
        .min(Comparator.comparingInt(o -> o.path().contains("{") ? 1 : 0));
  }

  /** Returns the schema of a JSON response; empty if the contract has none for this status. */
  Optional<Map<String, Object>> answer(Operation operation, int status) {
    Object response = operation.responses.get(String.valueOf(status));
    if (response == null) {
      return Optional.empty();
    }
    Map<String, Object> content = map(resolve(map(response)), "content");
    Object json = content.get("application/json");
    Object problem = content.get("application/problem+json");
    return Optional.ofNullable(json != null ? json : problem).map(c -> map(map(c), "schema"));
  }

  /** Returns a named schema. */
  Map<String, Object> schema(String name) {
    return map(map(map(document, "components"), "schemas"), name);
  }

  Map<String, Object> resolve(Map<String, Object> node) {
    Object ref = node.get("$ref");
    if (ref == null) {
      return node;
    }
    Map<String, Object> found = document;
    for (String part : ((String) ref).substring(2).split("/", -1)) {
      found = map(found, part);
    }
    return resolve(found);
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Object node) {
    return (Map<String, Object>) node;
  }

  static Map<String, Object> map(Map<String, Object> node, String name) {
    Object value = node.get(name);
    return value == null ? Map.of() : map(value);
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Map<String, Object> node, String name) {
    Object value = node.get(name);
    return value == null ? List.of() : (List<Object>) value;
  }
}
