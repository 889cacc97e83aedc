package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the statements at which a process is killed exist, so that no test waits in vain. */
class FireKillPointTest {

  @ParameterizedTest
  @EnumSource(FireKillPoint.class)
  void theStatementOfEachPointExists(FireKillPoint point) throws IOException {
    Path statements = Path.of("../engine/src/main/java/io/millrace/store/sql");
    try (Stream<Path> files = Files.list(statements)) {
      List<Path> all = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(all).isNotEmpty();
      assertThat(all).anySatisfy(file -> assertThat(file).content().contains(point.sql));
    }
  }
}
