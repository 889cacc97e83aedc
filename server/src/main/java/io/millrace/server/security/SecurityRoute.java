package io.millrace.server.security;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One of the routes about sessions, users and keys.
 *
 * @param operationId of the operation in the HTTP contract
 * @param path below {@code /api/v1}, with {@code {name}} for a part that varies
 */
public record SecurityRoute(
    String operationId, String method, String path, Permission permission, Handler handler) {

  /** What a route does. Throws {@link RejectedRequestException}. Thread-safe. */
  @FunctionalInterface
  public interface Handler {
    SecurityResponse answer(Request request);
  }

  /**
   * An admitted request.
   *
   * @param caller as {@link Guard#admit} answered
   * @param body the parsed JSON body; null when there is none
   * @param path the decoded value of a part of the path by its name
   * @param query the decoded value of a parameter by its name; null when it is not there
   */
  public record Request(
      RequestInfo request,
      CallerIdentity caller,
      @Nullable JsonNode body,
      Function<String, @Nullable String> path,
      Function<String, @Nullable String> query) {}
}
