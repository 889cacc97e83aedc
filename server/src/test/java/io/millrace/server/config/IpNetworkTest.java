package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpNetworkTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "192.0.2.7, 192.0.2.7, true",
    "192.0.2.7, 192.0.2.6, false",
    "192.0.2.8/29, 192.0.2.15, true",
    "192.0.2.8/29, 192.0.2.16, false",
    "0.0.0.0/0, 203.0.113.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "127.0.0.0/8, ::ffff:127.0.0.1, true"
  })
  void aNetworkHasTheAddressesWithItsFirstBits(String network, String address, boolean has) {
    assertThat(IpNetwork.parse(network).contains(IpNetwork.address(address).orElseThrow()))
        .isEqualTo(has);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "10.0.0",
        "10.0.0.0/33",
        "::/129",
        "10.0.0.0/-1",
        "10.0.0.0/x",
        "300.1.1.1",
        "a/8"
      })
  void namesAndOtherTextsAreRefused(String text) {
    assertThatThrownBy(() -> IpNetwork.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theConfigurationNamesTheProxies() {
    assertThat(config(Map.of())).isEqualTo(IpNetwork.LOOPBACK);
    assertThat(config(Map.of("millrace.http.trustedProxies", "10.1.0.0/16, fd00::1")))
        .hasToString("[10.1.0.0/16, fd00:0:0:0:0:0:0:1/128]");
    assertThatThrownBy(() -> config(Map.of("millrace.http.trustedProxies", "ingress")))
        .hasMessageContaining("expected a list of an IP address or a network such as 10.0.0.0/8");
  }

  private static List<IpNetwork> config(Map<String, String> properties) {
    return LoadedConfig.read(new ConfigSources(properties, Map.of(), null))
        .config()
        .http()
        .trustedProxies();
  }
}
