package io.millrace.server.http;

import io.millrace.server.security.Permission;
import java.util.List;

/**
 * One operation of the contract.
 *
 * @param path from the context path on; path parameters in braces
 * @param operationId its name in the contract
 * @param params the query parameters and headers that it reads
 * @param passesOthers whether other parameters in the query are passed over, and not refused
 */
public record Route(
    Method method,
    String path,
    String operationId,
    Permission permission,
    List<Param<?>> params,
    boolean passesOthers,
    Handler handler) {

  /** An operation that refuses what it does not know. */
  public Route(
      Method method,
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
    Answer handle(Call call) throws Exception;
  }

  public Route {
    params = List.copyOf(params);
  }
}
