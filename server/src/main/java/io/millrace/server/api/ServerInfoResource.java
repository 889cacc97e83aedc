package io.millrace.server.api;

import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.ProblemException;

/** The settings and metrics of the server. */
final class ServerInfoResource {

  private final ServerInfo serverInfo;

  ServerInfoResource(ServerInfo serverInfo) {
    this.serverInfo = serverInfo;
  }

  ApiResponse settings(ApiRequest request) {
    return ApiResponse.json(serverInfo.settings().get());
  }

  ApiResponse metrics(ApiRequest request) {
    String text = serverInfo.metrics().get();
    if (text == null) {
      throw ProblemException.notFound("Metrics are switched off in the configuration.");
    }
    return new ApiResponse.Text(200, "text/plain; version=0.0.4; charset=utf-8", text);
  }
}
