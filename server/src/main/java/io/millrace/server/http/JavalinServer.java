package io.millrace.server.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.security.Guard;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.HttpConfiguration;

/** A running HTTP server. Thread-safe. */
public final class JavalinServer implements AutoCloseable {

  /** Upper limit of the bytes of the request line and all headers. */
  private static final int HEADERS = 16 << 10;

  /**
   * The parts of a server.
   *
   * @param draining returns true once callers must switch to another server
   */
  public record Parts(HttpConfig http, Guard guard, EngineClock clock, BooleanSupplier draining) {

    /** Creates the parts of a server that never drains. */
    public Parts(HttpConfig http, Guard guard, EngineClock clock) {
      this(http, guard, clock, () -> false);
    }
  }

  private final Javalin javalin;

  private JavalinServer(Javalin javalin) {
    this.javalin = javalin;
  }

  /** Starts a server with these routes, which answers requests when this returns. */
  public static JavalinServer start(Parts parts, List<Route> routes) {
    RequestProcessor requestProcessor = new RequestProcessor(parts, routes);
    return new JavalinServer(
        Javalin.create(config -> configure(config, parts, routes, requestProcessor)).start());
  }

  private static void configure(
      JavalinConfig config, Parts parts, List<Route> routes, RequestProcessor requestProcessor) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.http.prefer405over404 = true;
    config.router.contextPath = parts.http().contextPath();
    config.router.ignoreTrailingSlashes = false;
    config.jetty.modifyHttpConfiguration(JavalinServer::limit);
    config.jetty.addConnector((server, http) -> JettyConnectors.open(server, http, parts.http()));
    JettyErrorHandler errors = new JettyErrorHandler(parts.guard().headers(true));
    config.jetty.modifyServer(server -> server.setErrorHandler(errors));
    config.jetty.modifyServletContextHandler(handler -> handler.setErrorHandler(errors));
    for (Route route : routes) {
      add(config, HandlerType.findOrCreate(route.method().name()), route, requestProcessor);
      if (route.method() == HttpMethod.GET) {
        add(config, HandlerType.HEAD, route, requestProcessor);
      }
    }
    // Javalin has its own handler for the first one, although the second includes it.
    config.routes.exception(HttpResponseException.class, requestProcessor::unrouted);
    config.routes.exception(Exception.class, requestProcessor::unrouted);
  }

  private static void add(
      JavalinConfig config, HandlerType method, Route route, RequestProcessor requestProcessor) {
    config.routes.addEndpoint(
        Endpoint.create(method, route.path())
            .handler(context -> requestProcessor.handle(context, route)));
  }

  private static void limit(HttpConfiguration http) {
    http.setRequestHeaderSize(HEADERS);
    // Otherwise Jetty reuses a previous cookie that differs only in case.
    http.setHeaderCacheCaseSensitive(true);
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.addCustomizer(new HeaderCheck());
  }

  /** Returns the port that it listens on. */
  public int port() {
    return javalin.port();
  }

  /** Ends all requests and stops the server. */
  @Override
  public void close() {
    javalin.stop();
  }
}
