package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.0.9",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.7",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "3fff::1",
        "fc00::1",
        "fd12::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1"
      })
  void privateAddressesAreNotPublic(String address) throws Exception {
    assertThat(AddressRules.isPublic(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.255.255",
        "172.32.0.1",
        "192.167.255.255",
        "198.17.255.255",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::200e",
        "64:ff9b::808:808",
        "::ffff:8.8.8.8"
      })
  void publicAddressesArePublic(String address) throws Exception {
    InetAddress parsed = InetAddress.getByName(address);
    assertThat(AddressRules.isPublic(parsed)).isTrue();
    assertThat(AddressRules.isNeverCalled(parsed)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "fd00:ec2::254",
        "fe80::1",
        "ff02::1",
        "224.0.0.1",
        "::",
        "255.255.255.255"
      })
  void someAreNotEvenCalledWhenTheirHostIsAllowed(String address) throws Exception {
    assertThat(AddressRules.isNeverCalled(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "10.0.0.1", "192.168.0.1", "fd12::1"})
  void privateAddressesCanBeAllowed(String address) throws Exception {
    assertThat(AddressRules.isNeverCalled(InetAddress.getByName(address))).isFalse();
  }
}
