package io.millrace.server.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.Http;
import io.millrace.server.security.Guard;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.HttpConfiguration;

/** A running HTTP server. Thread-safe. */
public final class HttpServer implements AutoCloseable {

  /** Most bytes of the request line and of all headers. */
  private static final int HEADERS = 16 << 10;

  /**
   * What a server is made of.
   *
   * @param leaving true once its callers shall look for another one
   */
  public record Parts(Http http, Guard guard, EngineClock clock, BooleanSupplier leaving) {

    /** One that stays. */
    public Parts(Http http, Guard guard, EngineClock clock) {
      this(http, guard, clock, () -> false);
    }
  }

  private final Javalin javalin;

  private HttpServer(Javalin javalin) {
    this.javalin = javalin;
  }

  /** Starts a server with these routes, which answers requests when this returns. */
  public static HttpServer start(Parts parts, List<Route> routes) {
    Exchange exchange = new Exchange(parts, routes);
    return new HttpServer(
        Javalin.create(config -> configure(config, parts, routes, exchange)).start());
  }

  private static void configure(
      JavalinConfig config, Parts parts, List<Route> routes, Exchange exchange) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.http.prefer405over404 = true;
    config.router.contextPath = parts.http().contextPath();
    config.router.ignoreTrailingSlashes = false;
    config.jetty.modifyHttpConfiguration(HttpServer::limit);
    config.jetty.addConnector((server, http) -> Connectors.open(server, http, parts.http()));
    JettyErrors errors = new JettyErrors(parts.guard().headers(true));
    config.jetty.modifyServer(server -> server.setErrorHandler(errors));
    config.jetty.modifyServletContextHandler(handler -> handler.setErrorHandler(errors));
    for (Route route : routes) {
      add(config, HandlerType.findOrCreate(route.method().name()), route, exchange);
      if (route.method() == Method.GET) {
        add(config, HandlerType.HEAD, route, exchange);
      }
    }
    // Javalin would answer the first by itself, though the second includes it.
    config.routes.exception(HttpResponseException.class, exchange::unrouted);
    config.routes.exception(Exception.class, exchange::unrouted);
  }

  private static void add(
      JavalinConfig config, HandlerType method, Route route, Exchange exchange) {
    config.routes.addEndpoint(
        Endpoint.create(method, route.path()).handler(context -> exchange.handle(context, route)));
  }

  private static void limit(HttpConfiguration http) {
    http.setRequestHeaderSize(HEADERS);
    // Jetty would take a cookie for one that came before if only the case of letters differs.
    http.setHeaderCacheCaseSensitive(true);
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.addCustomizer(new MethodOverrideCheck());
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  /** Ends all requests. */
  @Override
  public void close() {
    javalin.stop();
  }
}
