package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.report.pdf.ReportTemplates;
import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.IpNetwork;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.WorkConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.yaml.snakeyaml.Yaml;

/** Tests that the packages match the program. */
class PackagingTest {

  private static final Path PACKAGING = Path.of("../packaging");

  private static long number(String file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(PACKAGING.resolve(file)));
    assertThat(matcher.find()).as(pattern + " in " + file).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void everyServiceManagerWaitsLongerThanTheDrainTakes() throws IOException {
    // the grace period, and then the time that the engine waits for each of its parts
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
    WorkConfig workConfig =
        LoadedConfig.read(new ConfigSources(Map.of(), Map.of(), null)).config().work();
    assertThat(
            List.of(
                workConfig.jars(),
                workConfig.sequenceFiles(),
                workConfig.reports().folder(),
                Path.of(ReportTemplates.FOLDER)))
        .allSatisfy(folder ->
            assertThat(PACKAGING.resolve("zip").resolve(folder).resolve("README.txt")).exists());
  }

  @Test
  void theSampleIsAConfiguration() {
    Path sample = Path.of("../packaging/zip/conf/server-config.json");
    assertThat(LoadedConfig.read(new ConfigSources(Map.of(), Map.of(), sample)).config())
        .isEqualTo(LoadedConfig.read(new ConfigSources(Map.of(), Map.of(), null)).config());
  }

  /** The server has no WebSockets, and unused libraries are still a risk. */
  @Test
  void noLibraryForWebSocketsIsOnTheClassPath() {
    assertThat(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .noneMatch(entry -> Path.of(entry).getFileName().toString().contains("websocket"));
  }

  /** Returns the documents of the manifest by kind. */
  private static Map<String, Map<String, Object>> manifest() throws IOException {
    Map<String, Map<String, Object>> documents = new LinkedHashMap<>();
    for (Object document :
        new Yaml().loadAll(Files.readString(PACKAGING.resolve("kubernetes/millrace.yaml")))) {
      @SuppressWarnings("unchecked")
      Map<String, Object> fields = (Map<String, Object>) document;
      documents.put(String.valueOf(fields.get("kind")), fields);
    }
    return documents;
  }

  @Test
  void everyBaseImageIsNamedByItsDigest() throws IOException {
    List<String> lines = Files.readAllLines(PACKAGING.resolve("docker/Dockerfile"));
    assertThat(lines)
        .filteredOn(line -> line.startsWith("FROM "))
        .hasSize(2)
        .allMatch(line -> line.contains("@sha256:${JRE_DIGEST}"));
    assertThat(lines).contains("ARG JRE_DIGEST");
  }

  @Test
  void theServiceSeesNoOtherProcessesAndMakesNoUnusualSystemCalls() throws IOException {
    assertThat(Files.readAllLines(PACKAGING.resolve("deb/millrace.service")))
        .contains("ProtectProc=invisible", "SystemCallFilter=@system-service");
  }

  @Test
  void theManifestNamesItsProxiesAndLetsInNobodyElse(@TempDir Path folder) throws IOException {
    Map<?, ?> data = (Map<?, ?>) manifest().get("ConfigMap").get("data");
    Path file =
        Files.writeString(
            folder.resolve("server-config.json"), String.valueOf(data.get("server-config.json")));
    HttpConfig httpConfig =
        LoadedConfig.read(new ConfigSources(Map.of(), Map.of(), file)).config().http();
    assertThat(httpConfig.tls().mode()).isEqualTo(HttpConfig.TlsMode.PROXY);
    assertThat(httpConfig.trustedProxies()).isEqualTo(List.of(IpNetwork.parse("127.0.0.0/8")));

    Map<?, ?> policy = (Map<?, ?>) manifest().get("NetworkPolicy").get("spec");
    assertThat(policy.get("podSelector")).hasToString("{matchLabels={app=millrace}}");
    assertThat(policy.get("policyTypes")).hasToString("[Ingress]");
    assertThat((List<?>) policy.get("ingress"))
        .singleElement()
        .asString()
        .contains("namespaceSelector")
        .contains("port=http");
  }
}
