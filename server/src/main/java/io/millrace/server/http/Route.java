package io.millrace.server.http;

import io.millrace.server.security.Permission;
import java.util.List;

/**
 * One operation of the contract.
 *
 * @param path from the context path on; path parameters in braces
 * @param operationId its name in the contract
 * @param params the query parameters and headers that it reads
 * @param ignoresUnknownParams whether other parameters in the query are passed over, and not
 *     refused
 */
public record Route(
    HttpMethod method,
    String path,
    String operationId,
    Permission permission,
    List<Param<?>> params,
    boolean ignoresUnknownParams,
    Handler handler) {

  /** An operation that refuses what it does not know. */
  public Route(
      HttpMethod method,
      String path,
      String operationId,
      Permission permission,
      List<Param<?>> params,
      Handler handler) {
    this(method, path, operationId, permission, params, false, handler);
  }

  /** Answers a request. */
  @FunctionalInterface
  public interface Handler {
    ApiResponse handle(ApiRequest apiRequest) throws Exception;
  }

  public Route {
    params = List.copyOf(params);
  }
}
