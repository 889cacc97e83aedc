package io.millrace.server.security;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A route about sessions, users or keys.
 *
 * @param operationId of the operation in the HTTP contract
 * @param path path below {@code /api/v1}, with {@code {name}} for a variable part
 */
public record SecurityRoute(
    String operationId, String method, String path, Permission permission, Handler handler) {

  /** The handler of a route. It throws {@link RejectedRequestException}. Thread-safe. */
  @FunctionalInterface
  public interface Handler {
    SecurityResponse answer(Request request);
  }

  /**
   * An admitted request.
   *
   * @param caller the result of {@link Guard#admit}
   * @param body the parsed JSON body; null if there is none
   * @param path returns the decoded value of a variable part of the path by name
   * @param query returns the decoded value of a parameter by name; null if it is missing
   */
  public record Request(
      RequestInfo request,
      CallerIdentity caller,
      @Nullable JsonNode body,
      Function<String, @Nullable String> path,
      Function<String, @Nullable String> query) {}
}
