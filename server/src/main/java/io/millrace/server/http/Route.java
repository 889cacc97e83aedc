package io.millrace.server.http;

import io.millrace.server.security.Permission;
import java.util.List;

/**
 * An operation of the contract.
 *
 * @param path the path below the context path; path parameters in braces
 * @param operationId its name in the contract
 * @param params the query parameters and headers that it reads
 * @param ignoresUnknownParams true to ignore unknown query parameters instead of rejecting them
 */
public record Route(
    HttpMethod method,
    String path,
    String operationId,
    Permission permission,
    List<Param<?>> params,
    boolean ignoresUnknownParams,
    Handler handler) {

  /** Creates an operation that rejects unknown parameters. */
  public Route(
      HttpMethod method,
      String path,
      String operationId,
      Permission permission,
      List<Param<?>> params,
      Handler handler) {
    this(method, path, operationId, permission, params, false, handler);
  }

  /** A handler of requests. */
  @FunctionalInterface
  public interface Handler {
    ApiResponse handle(ApiRequest request) throws Exception;
  }

  public Route {
    params = List.copyOf(params);
  }
}
