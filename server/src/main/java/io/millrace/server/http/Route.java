package io.millrace.server.http;

import io.millrace.server.security.Permission;
import java.util.List;

/**
 * One operation of the contract.
 *
 * @param path from the context path on; path parameters in braces
 * @param operationId its name in the contract
 * @param params the query parameters and headers that it reads; others in the query are refused
 */
public record Route(
    Method method,
    String path,
    String operationId,
    Permission permission,
    List<Param<?>> params,
    Handler handler) {

  /** Answers a request. */
  @FunctionalInterface
  public interface Handler {
    Answer handle(Call call) throws Exception;
  }

  public Route {
    params = List.copyOf(params);
  }
}
