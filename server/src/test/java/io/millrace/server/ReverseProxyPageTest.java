package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the configurations of nginx on the documentation page, with a browser's requests. */
@Timeout(300)
@Tag("server")
class ReverseProxyPageTest {

  private static final String PASSWORD = "quite a long secret of 3 frogs";
  private static final String LOGIN = "{\"user\":\"ada\",\"password\":\"" + PASSWORD + "\"}";
  private static final Pattern BLOCK = Pattern.compile("(?s)```nginx\n(.*?)```");
  private static final int MAX_STARTS = 5;

  @TempDir private Path folder;
  private SSLContext tls;

  @ParameterizedTest
  @CsvSource({"millrace.example.com, /", "tools.example.com, /millrace"})
  void aUserLogsInChangesSomethingAndListensThroughNginx(String name, String path)
      throws Exception {
    certify(name);
    try (MillraceServer server =
            MillraceServer.start(
                TestConfigs.ofFirstStart(
                    "security.admin.user",
                    "ada",
                    "security.admin.password",
                    PASSWORD,
                    "http.tls.mode",
                    "proxy",
                    "http.origins",
                    "https://" + name,
                    "http.contextPath",
                    path),
                ServerExtensions.NONE);
        Nginx nginx = start(onThePage(name), URI.create(server.address()).getPort())) {
      String api = (path + "/api/v1").replace("//", "/");
      Browser browser = new Browser(tls, nginx.port, name);
      String login = browser.exchange("POST " + api + "/session", "", LOGIN);
      assertThat(login).startsWith("HTTP/1.1 200");
      String cookie = found("(?i)\nSet-Cookie: (.*)", login);
      assertThat(cookie).contains("Secure").containsPattern("Path=" + path + "(;|$)");
      String session =
          "Cookie: %s\r\nX-CSRF-Token: %s\r\n"
              .formatted(cookie.split(";", 2)[0], found("\"csrfToken\":\"([^\"]+)", login));

      String key = "{\"name\":\"ci\",\"role\":\"viewer\"}";
      assertThat(browser.exchange("POST " + api + "/keys", session, key))
          .startsWith("HTTP/1.1 201");

      try (BufferedReader stream = browser.send("GET " + api + "/events", session, "")) {
        assertThat(stream.readLine()).startsWith("HTTP/1.1 200");
        assertThat(stream.lines().anyMatch(line -> line.startsWith("event: "))).isTrue();
      }
    }
  }

  private static String found(String regex, String text) {
    Matcher matcher = Pattern.compile(regex).matcher(text);
    assertThat(matcher.find()).as("%s in %s", regex, text).isTrue();
    return matcher.group(1);
  }

  private static String onThePage(String name) throws IOException {
    return BLOCK
        .matcher(Files.readString(Path.of("../docs/reverse-proxies.md")))
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains("server_name " + name + ";"))
        .findFirst()
        .orElseThrow();
  }

  /** Makes a certificate for the proxy, which the browser trusts. */
  private void certify(String name) throws Exception {
    Path store = folder.resolve("certificate.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "proxy",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=dns:" + name,
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    KeyStore keyStore = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keyStore.load(in, PASSWORD.toCharArray());
    }
    writePem("CERTIFICATE", keyStore.getCertificate("proxy").getEncoded());
    writePem("PRIVATE KEY", keyStore.getKey("proxy", PASSWORD.toCharArray()).getEncoded());
    tls = trusting(keyStore);
  }

  private void writePem(String kind, byte[] content) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        folder.resolve(kind),
        "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
  }

  private static SSLContext trusting(KeyStore keyStore) throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keyStore);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private Nginx start(String block, int serverPort) throws IOException {
    String inner = replaced(block, "127.0.0.1:7500", "127.0.0.1:" + serverPort);
    inner = replaced(inner, "/etc/ssl/millrace.pem", "\"" + folder.resolve("CERTIFICATE") + "\"");
    inner = replaced(inner, "/etc/ssl/millrace.key", "\"" + folder.resolve("PRIVATE KEY") + "\"");
    for (int i = 0; i < MAX_STARTS; i++) {
      int port = freePort();
      Nginx nginx =
          run(replaced(inner, "listen 443 ssl", "listen 127.0.0.1:" + port + " ssl"), port);
      if (Polling.until(() -> nginx.accepts() || !nginx.process.isAlive(), done -> done)
          && nginx.process.isAlive()) {
        return nginx;
      }
    }
    throw new AssertionError(Files.readString(folder.resolve("nginx.log")));
  }

  private static String replaced(String text, String old, String fresh) {
    assertThat(text).contains(old);
    return text.replace(old, fresh);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Runs nginx as one process, with all its files in the folder of the test. */
  private Nginx run(String block, int port) throws IOException {
    Path file = folder.resolve("nginx.conf");
    Files.writeString(
        file,
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        events {}
        http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          %s
        }
        """
            .formatted(block));
    Process process =
        new ProcessBuilder("nginx", "-e", "stderr", "-p", folder.toString(), "-c", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("nginx.log").toFile())
            .start();
    return new Nginx(process, port);
  }

  private record Nginx(Process process, int port) implements AutoCloseable {

    boolean accepts() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }

  /** A browser that sends no {@code Sec-Fetch-Site}, and knows the proxy by its public name. */
  private record Browser(SSLContext tls, int port, String name) {

    String exchange(String operation, String headers, String body) throws IOException {
      try (BufferedReader answer = send(operation, headers, body)) {
        return answer.lines().collect(Collectors.joining("\n"));
      }
    }

    /** Returns a reader of the answer; closing it closes the connection. */
    BufferedReader send(String operation, String headers, String body) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout((int) Patience.LIMIT.toMillis());
      SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, name, port, true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secured.setSSLParameters(parameters);
      String head =
          "%s HTTP/1.1\r\nHost: %s\r\nOrigin: https://%s\r\nConnection: close\r\n"
                  .formatted(operation, name, name)
              + "Content-Type: application/json\r\nContent-Length: "
              + body.length()
              + "\r\n"
              + headers
              + "\r\n";
      secured.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
          new InputStreamReader(secured.getInputStream(), StandardCharsets.UTF_8));
    }
  }
}
