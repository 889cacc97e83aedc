package io.millrace.server.http;

import io.millrace.server.config.HttpConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The connectors that accept connections. */
final class JettyConnectors {

  /** Longest time that a connection may be idle, in a request or between two. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  private JettyConnectors() {}

  static Connector open(Server server, HttpConfiguration http, HttpConfig config) {
    ServerConnector connector =
        config.tls().mode() == HttpConfig.TlsMode.KEYSTORE
            ? new ServerConnector(
                server, keyStore(config.tls()), new HttpConnectionFactory(secure(http)))
            : new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(config.bind());
    connector.setPort(config.port());
    connector.setIdleTimeout(IDLE.toMillis());
    connector.addBean(
        new RequestHeadTimeout(connector.getScheduler(), config.limits().requestTime()));
    return connector;
  }

  private static HttpConfiguration secure(HttpConfiguration http) {
    HttpConfiguration secure = new HttpConfiguration(http);
    secure.addCustomizer(new SecureRequestCustomizer());
    return secure;
  }

  private static SslContextFactory.Server keyStore(HttpConfig.Tls tls) {
    SslContextFactory.Server factory = new SslContextFactory.Server();
    @Nullable Path file = tls.keyStore();
    if (file != null) {
      factory.setKeyStorePath(file.toUri().toString());
    }
    if (tls.password() != null) {
      factory.setKeyStorePassword(tls.password());
    }
    return factory;
  }
}
