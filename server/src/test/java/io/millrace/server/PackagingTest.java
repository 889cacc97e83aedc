package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.report.pdf.Templates;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.Sources;
import io.millrace.server.config.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** What the packages say fits what the program does. */
class PackagingTest {

  private static final Path PACKAGING = Path.of("../packaging");

  private static long number(String file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(PACKAGING.resolve(file)));
    assertThat(matcher.find()).as(pattern + " in " + file).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void whoeverStopsItWaitsLongerThanTheDrainTakes() throws IOException {
    // the grace, and then the engine's patience with each of its parts
    long longest = EngineSettings.defaults().drainGrace().plusSeconds(75).toSeconds();
    assertThat(number("deb/millrace.service", "TimeoutStopSec=(\\d+)")).isGreaterThan(longest);
    assertThat(number("kubernetes/millrace.yaml", "terminationGracePeriodSeconds: (\\d+)"))
        .isGreaterThan(longest);
    assertThat(number("docker/Dockerfile", "--time (\\d+)")).isGreaterThan(longest);
    assertThat(number("zip/bin/stop", "MILLRACE_STOP_SECONDS:-(\\d+)")).isGreaterThan(longest);
    assertThat(number("zip/service/millrace-service.xml", "<stoptimeout>(\\d+) sec"))
        .isGreaterThan(longest);
  }

  @Test
  void theServiceOfWindowsRunsThisProgramInItsHome() throws Exception {
    Element service =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(PACKAGING.resolve("zip/service/millrace-service.xml").toFile())
            .getDocumentElement();
    assertThat(service.getElementsByTagName("arguments").item(0).getTextContent())
        .contains(" " + Main.class.getName() + " server ");
    Element home = (Element) service.getElementsByTagName("env").item(0);
    assertThat(home.getAttribute("name")).isEqualTo("MILLRACE_HOME");
    assertThat(home.getAttribute("value"))
        .isEqualTo(service.getElementsByTagName("workingdirectory").item(0).getTextContent());
  }

  @Test
  void everyFolderOfTheConfigurationIsInTheZipAndExplained() {
    Work work = LoadedConfig.read(new Sources(Map.of(), Map.of(), null)).config().work();
    assertThat(
            List.of(
                work.jars(),
                work.sequenceFiles(),
                work.reports().folder(),
                Path.of(Templates.FOLDER)))
        .allSatisfy(folder ->
            assertThat(PACKAGING.resolve("zip").resolve(folder).resolve("README.txt")).exists());
  }

  @Test
  void theSampleIsAConfiguration() {
    Path sample = Path.of("../packaging/zip/conf/server-config.json");
    assertThat(LoadedConfig.read(new Sources(Map.of(), Map.of(), sample)).config())
        .isEqualTo(LoadedConfig.read(new Sources(Map.of(), Map.of(), null)).config());
  }
}
