package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.interop.RedisProcess;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.FutureTask;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server with a certificate that is created here, for the host name localhost. */
@Timeout(300)
@Tag("brokers")
class TlsTest {

  private static final String PASSWORD = "changeit";

  @TempDir Path folder;

  @Test
  void theCertificateAndTheNameOfTheHostAreChecked() throws Exception {
    KeyStore store = makeCertificate();
    try (RedisProcess server =
        RedisProcess.start(
            "--tls-port",
            "" + RedisProcess.freePort(),
            "--tls-auth-clients",
            "no",
            "--tls-cert-file",
            pem("cert", "CERTIFICATE", store.getCertificate("redis").getEncoded()),
            "--tls-key-file",
            pem(
                "key",
                "PRIVATE KEY",
                store.getKey("redis", PASSWORD.toCharArray()).getEncoded()))) {
      String port = String.valueOf(plainCall(server));
      RedisSettings trusting = patient("rediss://localhost:" + port).tls(trust(store));
      try (Redis redis = RedisConnections.open(trusting, EngineRuntime.system());
          Redis.BlockingConnection blockingConnection = redis.blocking()) {
        assertThat(redis.call("RPUSH", "a", "x".repeat(100_000))).isEqualTo(1L);
        assertThat(blockingConnection.move("a", "b", Duration.ofSeconds(5))).hasSize(100_000);
      }
      assertFails(patient("rediss://localhost:" + port), "certification path");
      assertFails(patient("rediss://127.0.0.1:" + port).tls(trust(store)), "127.0.0.1");
      assertFails(
          RedisSettings.of(server.uri().replace("redis:", "rediss:"))
              .tls(trust(store))
              .connectTimeout(Duration.ofMillis(500)),
          "TLS");
    }
  }

  /** The close of a connection with TLS must not wait for the write that hangs. */
  @Test
  void aServerThatStopsReadingIsLeft() throws Exception {
    KeyStore store = makeCertificate();
    try (ServerSocket server =
            server(store).getServerSocketFactory().createServerSocket(0, 1, loopback());
        Redis redis =
            RedisConnections.open(
                patient("rediss://localhost:" + server.getLocalPort())
                    .timeout(Duration.ofSeconds(2))
                    .tls(trust(store)),
                EngineRuntime.system())) {
      FutureTask<Socket> accepted = new FutureTask<>(() -> UnreadCommandsTest.accept(server));
      Thread.ofVirtual().start(accepted);

      assertThatThrownBy(() -> redis.call("SET", "k", UnreadCommandsTest.LONG))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("did not read the whole command");

      accepted.get().close();
    }
  }

  private static InetAddress loopback() throws UnknownHostException {
    return InetAddress.getByName("localhost");
  }

  private static SSLContext server(KeyStore store) throws Exception {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  /** Returns settings with long timeouts, since the handshake takes long on a slow machine. */
  private static RedisSettings patient(String uri) {
    return RedisSettings.of(uri)
        .connectTimeout(Duration.ofSeconds(20))
        .timeout(Duration.ofSeconds(60));
  }

  private static Object plainCall(RedisProcess server) {
    try (Redis redis =
        RedisConnections.open(RedisSettings.of(server.uri()), EngineRuntime.system())) {
      return ((java.util.List<?>) redis.call("CONFIG", "GET", "tls-port")).get(1);
    }
  }

  private static void assertFails(RedisSettings settings, String words) {
    try (Redis redis =
        RedisConnections.open(settings.timeout(Duration.ofMillis(500)), EngineRuntime.system())) {
      assertThatThrownBy(() -> redis.call("PING"))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining(words);
    }
  }

  private KeyStore makeCertificate() throws Exception {
    Path file = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "redis",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output =
        new String(
            keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private String pem(String name, String kind, byte[] bytes) throws Exception {
    String text =
        "-----BEGIN "
            + kind
            + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
            + "\n-----END "
            + kind
            + "-----\n";
    return Files.writeString(folder.resolve(name + ".pem"), text).toString();
  }

  private static SSLContext trust(KeyStore store) throws Exception {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("redis", store.getCertificate("redis"));
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
