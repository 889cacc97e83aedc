package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.HttpConfig.TlsMode;
import io.millrace.server.security.RejectedRequestException.Kind;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a server on a loopback address behind a proxy, with a page open in a browser. */
class ReverseProxyTest {

  private SecurityFixture securityFixture;

  @AfterEach
  void close() {
    if (securityFixture != null) {
      securityFixture.close();
    }
  }

  private void open(TlsMode mode, String... origins) {
    HttpConfig local = SecurityFixture.http("127.0.0.1", mode);
    securityFixture =
        new SecurityFixture(
            AccountDatabase.H2,
            new HttpConfig(
                local.bind(),
                local.port(),
                local.contextPath(),
                local.limits(),
                local.tls(),
                local.trustedProxies(),
                Stream.of(origins).map(URI::create).toList()),
            SecurityFixture.security(null));
  }

  private RejectedRequestException refused(FakeRequest request) {
    return securityFixture.refusal("logIn", request, SecurityFixture.login("anna", "x"));
  }

  private void assertReachesPassword(FakeRequest request) {
    assertThat(refused(request).kind()).isEqualTo(Kind.UNAUTHORIZED);
  }

  private static FakeRequest page(String host, String origin) {
    return FakeRequest.of("POST").header("Host", host).header("Origin", origin);
  }

  @Test
  void aLoginByAnotherNameSaysWhichHeaderAndWhichSetting() {
    open(TlsMode.PROXY);
    RejectedRequestException refusal =
        refused(page("127.0.0.1:7500", "https://millrace.example.com"));
    assertThat(refusal.kind()).isEqualTo(Kind.FORBIDDEN);
    assertThat(refusal.detail())
        .contains(
            "the header Origin is 'https://millrace.example.com'",
            "Host is '127.0.0.1:7500'",
            "http.origins");
    RejectedRequestException cross =
        refused(FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site"));
    assertThat(cross.detail()).contains("the header Sec-Fetch-Site is 'cross-site'");
    String tooLong = "https://" + "x".repeat(9000);
    assertThat(refused(page("127.0.0.1:7500", tooLong)).detail()).hasSizeLessThan(500);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:7500, https://millrace.example.com",
    "127.0.0.1:7500, https://Millrace.Example.com:443",
    "millrace.example.com, https://millrace.example.com",
    "millrace.example.com, https://inner.example.com:8443",
    "127.0.0.1, https://millrace.example.com",
  })
  void aLoginFromAnOriginOfTheServerIsTaken(String host, String origin) {
    open(TlsMode.PROXY, "https://millrace.example.com", "https://inner.example.com:8443");
    assertReachesPassword(page(host, origin));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://millrace.example.com",
        "https://millrace.example.com:8443",
        "https://millrace.example.com.evil.example",
        "https://millrace.example.com@evil.example",
        "null",
        "",
      })
  void anotherOriginStaysRefused(String origin) {
    open(TlsMode.PROXY, "https://millrace.example.com");
    assertThat(refused(page("127.0.0.1:7500", origin)).kind()).isEqualTo(Kind.FORBIDDEN);
  }

  @Test
  void namesThatNobodyConfiguredLeadNowhereBehindAProxyToo() {
    open(TlsMode.PROXY, "https://millrace.example.com");
    for (String host : List.of("millrace.example.com", "MILLRACE.example.com:443", "localhost")) {
      FakeRequest request = FakeRequest.of("GET").header("Host", host);
      assertThat(securityFixture.guard.admit(request, Permission.PUBLIC))
          .isEqualTo(CallerIdentity.ANONYMOUS);
    }
    FakeRequest evil = FakeRequest.of("GET").header("Host", "evil.example");
    RejectedRequestException refusal =
        SecurityFixture.refusal(() -> securityFixture.guard.admit(evil, Permission.PUBLIC));
    assertThat(refusal.kind()).isEqualTo(Kind.FORBIDDEN);
    assertThat(refusal.detail())
        .contains("the header Host is 'evil.example'", "[127.0.0.1, ", "http.origins");
  }

  @Test
  void aCookieThatTheBrowserWouldKeepToItselfIsTold() {
    open(TlsMode.PROXY, "http://millrace.example.com");
    RejectedRequestException refusal =
        refused(page("127.0.0.1:7500", "http://millrace.example.com"));
    assertThat(refusal.kind()).isEqualTo(Kind.FORBIDDEN);
    assertThat(refusal.detail())
        .contains("plain http", "'http://millrace.example.com'", "Secure", "http.tls.mode = none");
    FakeRequest link = page("127.0.0.1:7500", "http://millrace.example.com");
    assertThat(securityFixture.refusal("logInByLink", link, "{\"token\":\"x\"}").detail())
        .contains("plain http");
    assertReachesPassword(page("127.0.0.1:7500", "http://127.0.0.1:7500"));
    assertReachesPassword(page("localhost:7500", "http://localhost:7500"));
    close();
    open(TlsMode.NONE, "http://millrace.example.com");
    assertReachesPassword(page("127.0.0.1:7500", "http://millrace.example.com"));
  }
}
