package io.millrace.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.millrace.server.security.CallerIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processing of a request: the guard, the handler, and the response. */
final class RequestProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(RequestProcessor.class);

  private final JavalinServer.Parts parts;
  private final List<Route> routes;
  private final UiFiles ui;
  private final RequestBodyReader requestBodyReader;
  private final ProblemMapper problemMapper;

  RequestProcessor(JavalinServer.Parts parts, List<Route> routes) {
    this.parts = parts;
    this.routes = List.copyOf(routes);
    this.ui = new UiFiles(parts.http().contextPath());
    this.requestBodyReader = new RequestBodyReader(parts.http().limits(), parts.clock());
    this.problemMapper = new ProblemMapper(parts.clock());
  }

  void handle(Context context, Route route) throws IOException, InterruptedException {
    parts.guard().headers(true).forEach(context::header);
    endConnectionIfLeaving(context);
    ApiResponse apiResponse;
    try {
      CallerIdentity callerIdentity =
          parts.guard().admit(new JavalinRequestInfo(context), route.permission());
      refuseMultipart(context);
      apiResponse =
          route.handler().handle(new ApiRequest(context, route, callerIdentity, requestBodyReader));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      refuse(context, e);
      return;
    }
    write(context, apiResponse);
  }

  /**
   * Rejects multipart bodies. No route accepts files, and a library could otherwise write what is
   * sent to disk.
   */
  private static void refuseMultipart(Context context) {
    if (MediaType.isMultipart(context.req().getContentType())) {
      throw ProblemException.of(
          415,
          "No operation takes a body of several parts; send JSON, or the fields of a form as "
              + MediaType.FORM.text()
              + ".");
    }
  }

  /**
   * Ends the connection if the server leaves, because a kept connection would lead to a stopped
   * server.
   */
  private void endConnectionIfLeaving(Context context) {
    if (parts.draining().getAsBoolean()) {
      context.header("Connection", "close");
    }
  }

  private static void write(Context context, ApiResponse apiResponse)
      throws IOException, InterruptedException {
    switch (apiResponse) {
      case ApiResponse.Json json ->
          context
              .status(json.status())
              .contentType("application/json")
              .result(StrictJson.bytes(json.body()));
      case ApiResponse.Empty empty -> context.status(empty.status());
      case ApiResponse.Text text ->
          context.status(text.status()).contentType(text.contentType()).result(text.text());
      case ApiResponse.Stream stream -> write(context, stream);
      case ApiResponse.Written written -> {}
    }
  }

  private static void write(Context context, ApiResponse.Stream stream)
      throws IOException, InterruptedException {
    try {
      context.status(200).contentType(stream.contentType());
      stream.headers().forEach(context::header);
      try (OutputStream out = context.res().getOutputStream()) {
        if (!HandlerType.HEAD.equals(context.method())) {
          stream.writer().write(out);
        }
      }
    } finally {
      stream.done().run();
    }
  }

  /** Answers a request that matches no route: with a file of the UI, or an error. */
  void unrouted(Exception thrown, Context context) {
    if (context.res().isCommitted()) {
      abort(context, thrown);
      return;
    }
    endConnectionIfLeaving(context);
    int status = thrown instanceof HttpResponseException e ? e.getStatus() : 0;
    if (status == 404 && ui.serve(context)) {
      parts.guard().headers(false).forEach(context::header);
      return;
    }
    parts.guard().headers(true).forEach(context::header);
    if (status == 405) {
      context.header("Allow", allowed(context));
    }
    refuse(context, thrown);
  }

  /** Ends the connection, so that no client takes a part of a response for the whole. */
  private static void abort(Context context, Exception thrown) {
    LOG.debug("{} {} ended early", context.method(), context.path(), thrown);
    ServletContextRequest.getServletContextRequest(context.req()).getServletChannel().abort(thrown);
  }

  private String allowed(Context context) {
    return routes.stream()
        .filter(route -> PathTemplate.matches(route.path(), context.path()))
        .map(route -> route.method().name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private void refuse(Context context, Exception thrown) {
    ProblemException refusal = problemMapper.of(thrown, context.method() + " " + context.path());
    refusal.headers().forEach(context::header);
    context
        .status(refusal.problem().status())
        .contentType(Problem.CONTENT_TYPE)
        .result(StrictJson.bytes(refusal.problem().at(context.path())));
  }
}
