package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "'203.0.113.9, 192.0.2.7', 192.0.2.7",
    "192.0.2.7:51234, 192.0.2.7",
    "2001:db8::7, 2001:db8::7",
    "[2001:db8::7]:51234, 2001:db8::7",
    "[2001:db8::7], 2001:db8::7",
    "unknown, unknown"
  })
  void theLastAddressThatWasForwardedCountsWithoutItsPort(String header, String address) {
    FakeRequest request = FakeRequest.of("POST").header("X-Forwarded-For", header);

    assertThat(ClientAddress.of(request, true)).isEqualTo(address);
    assertThat(ClientAddress.of(request, false)).isEqualTo("192.0.2.1");
  }

  @Test
  void addressesOfOneNetworkCountAsOneHoweverTheyAreWritten() {
    String network = ClientAddress.network("2001:db8:0:0:1:2:3:4");

    assertThat(ClientAddress.network("2001:db8::1")).isEqualTo(network);
    assertThat(ClientAddress.network("2001:0DB8::9:8:7:6")).isEqualTo(network);
    assertThat(ClientAddress.network("2001:db8:0:1::1")).isNotEqualTo(network);
    assertThat(ClientAddress.network("192.0.2.7")).isEqualTo("192.0.2.7");
    assertThat(ClientAddress.network("no:address")).isEqualTo("no:address");
  }
}
