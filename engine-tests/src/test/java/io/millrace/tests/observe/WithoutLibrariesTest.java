package io.millrace.tests.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.observe.Tracing;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Tests that Micrometer and OpenTelemetry are optional. */
class WithoutLibrariesTest {

  @Test
  void anEngineRunsWithoutThem() throws Exception {
    try (URLClassLoader plain = classPathWithout("micrometer", "opentelemetry")) {
      assertThatThrownBy(() -> plain.loadClass("io.micrometer.core.instrument.MeterRegistry"))
          .isInstanceOf(ClassNotFoundException.class);
      assertThatThrownBy(() -> plain.loadClass("io.opentelemetry.api.GlobalOpenTelemetry"))
          .isInstanceOf(ClassNotFoundException.class);

      Object application =
          plain.loadClass(PlainApplication.class.getName()).getDeclaredConstructor().newInstance();

      assertThat(((Callable<?>) application).call()).isEqualTo("finished, methods seen: true");
    }
  }

  @Test
  void thereIsNoTracingWithoutItsLibrary() throws Exception {
    try (URLClassLoader plain = classPathWithout("opentelemetry")) {
      Object found =
          plain.loadClass(Tracing.class.getName()).getMethod("ifOnClassPath").invoke(null);
      assertThat(found).hasToString("Optional.empty");
    }
    assertThat(Tracing.ifOnClassPath()).isPresent();
  }

  private static URLClassLoader classPathWithout(String... names) {
    URL[] urls =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> Arrays.stream(names).noneMatch(nameOf(entry)::startsWith))
            .map(WithoutLibrariesTest::url)
            .toArray(URL[]::new);
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  private static String nameOf(String entry) {
    return Path.of(entry).getFileName().toString();
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(entry, e);
    }
  }
}
