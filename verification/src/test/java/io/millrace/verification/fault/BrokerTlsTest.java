package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.verification.chaos.rabbitmq.RabbitServer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a broker behind TLS is trusted for its certificate, not for speaking TLS. */
@Timeout(300)
@Tag("brokers")
class BrokerTlsTest {

  private static final String PASSWORD = "changeit";
  private static final String ALIAS = "broker";

  @TempDir private Path folder;

  private final SSLContext before = defaultContext();
  private SSLContext trusting;
  private RabbitServer server;
  private int port;

  private static SSLContext defaultContext() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    KeyStore keys = selfSigned();
    pem("cert.pem", "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
    pem("key.pem", "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    port = RabbitServer.freePort();
    server = RabbitServer.in(folder);
    server.configure(
        List.of(
            "listeners.ssl.1 = 127.0.0.1:" + port,
            "ssl_options.cacertfile = " + folder.resolve("cert.pem"),
            "ssl_options.certfile = " + folder.resolve("cert.pem"),
            "ssl_options.keyfile = " + folder.resolve("key.pem"),
            "ssl_options.verify = verify_none"));
    server.start();
  }

  @AfterEach
  void stop() {
    SSLContext.setDefault(before);
    server.close();
  }

  /** Creates a certificate for localhost. */
  private KeyStore selfSigned() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
    trust.init(trusted);
    trusting = SSLContext.getInstance("TLS");
    trusting.init(null, trust.getTrustManagers(), null);
    return keys;
  }

  private void pem(String name, String kind, byte[] content) throws Exception {
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
  }

  private String publish(String host) {
    RabbitSettings settings =
        RabbitSettings.of("amqps://guest:guest@" + host + ":" + port)
            .confirmLimit(Duration.ofSeconds(30));
    try (RabbitTransport transport = RabbitTransport.open(settings)) {
      return transport.publish(List.of(new Outgoing("TLS", "{}", "1", null))).getFirst();
    }
  }

  @Test
  void theCertificateAndTheNameMustBeRight() {
    assertThat(publish("localhost")).contains("over TLS", "trust store");
    SSLContext.setDefault(trusting);
    assertThat(publish("localhost")).isNull();
    assertThat(publish("127.0.0.1")).contains("over TLS");
  }
}
