package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the version that the login page, the banner and the command line show. */
class MillraceVersionTest {

  @Test
  void isADevelopmentBuildWithoutAJar() {
    assertThat(MillraceVersion.millrace()).isEqualTo("development build");
    assertThat(new MillraceVersion().getVersion()[0])
        .startsWith("millrace development build, JDK ");
  }
}
