package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.config.IpNetwork;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

  private static final List<IpNetwork> PROXIES =
      List.of(IpNetwork.parse("10.0.0.0/8"), IpNetwork.parse("2001:db8:a::/48"));

  private static String address(String peer, String header, List<IpNetwork> proxies) {
    return ClientAddress.of(
        FakeRequest.of("POST").from(peer).header("X-Forwarded-For", header), proxies);
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "'203.0.113.9, 192.0.2.7', 192.0.2.7",
    "'203.0.113.9, 192.0.2.7, 10.9.9.9', 192.0.2.7",
    "'203.0.113.9, 10.1.1.1, 192.0.2.7, 10.2.2.2:80, 2001:db8:a::1', 192.0.2.7",
    "'10.3.3.3, 10.2.2.2', 10.3.3.3",
    "'10.3.3.3, nonsense, 10.2.2.2', nonsense",
    "192.0.2.7:51234, 192.0.2.7",
    "2001:db8::7, 2001:db8::7",
    "[2001:db8::7]:51234, 2001:db8::7",
    "[2001:db8::7], 2001:db8::7",
    "unknown, unknown",
    "'', ''"
  })
  void theLastForwardedAddressThatIsNoTrustedProxyCounts(String header, String address) {
    assertThat(address("10.1.2.3", header, PROXIES)).isEqualTo(address);
    assertThat(address("[2001:db8:a::9]", header, PROXIES)).isEqualTo(address);
  }

  @Test
  void thePeerCountsUnlessItIsATrustedProxy() {
    assertThat(address("192.0.2.1", "203.0.113.9", PROXIES)).isEqualTo("192.0.2.1");
    assertThat(address("2001:db8:b::1", "203.0.113.9", PROXIES)).isEqualTo("2001:db8:b::1");
    assertThat(address("11.0.0.1", "203.0.113.9", PROXIES)).isEqualTo("11.0.0.1");
    assertThat(address("10.1.2.3", "203.0.113.9", List.of())).isEqualTo("10.1.2.3");
    assertThat(ClientAddress.of(FakeRequest.of("POST").from("10.1.2.3"), PROXIES))
        .isEqualTo("10.1.2.3");
  }

  @Test
  void addressesOfOneNetworkCountAsOneHoweverTheyAreWritten() {
    String network = ClientAddress.network("2001:db8:0:0:1:2:3:4");

    assertThat(ClientAddress.network("2001:db8::1")).isEqualTo(network);
    assertThat(ClientAddress.network("2001:0DB8::9:8:7:6")).isEqualTo(network);
    assertThat(ClientAddress.network("2001:db8:0:1::1")).isNotEqualTo(network);
    assertThat(ClientAddress.network("192.0.2.7")).isEqualTo("192.0.2.7");
    assertThat(ClientAddress.network("no:address")).isEqualTo("no:address");

    String site = ClientAddress.site("2001:db8::1");
    assertThat(ClientAddress.site("2001:db8:0:9::1")).isEqualTo(site);
    assertThat(ClientAddress.site("2001:db8:1::1")).isNotEqualTo(site);
    assertThat(ClientAddress.site("192.0.2.7")).isEqualTo("192.0.2");
    assertThat(ClientAddress.site("no:address")).isEqualTo("no:address");
    assertThat(ClientAddress.site("unknown")).isEmpty();
    assertThat(ClientNetwork.of("192.0.2.7").isShared()).isFalse();
    assertThat(ClientNetwork.of("2001:db8::1").isShared()).isTrue();
  }
}
