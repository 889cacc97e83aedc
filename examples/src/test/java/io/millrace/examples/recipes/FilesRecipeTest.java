package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.FolderTrigger;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/recipes/process-files.md}. */
class FilesRecipeTest {

  private static final Duration WHILE = Duration.ofMinutes(1);

  private final List<String> imported = new ArrayList<>();
  private int failures;

  @TempDir private Path folder;
  private Path inbox;

  @BeforeEach
  void createInbox() throws IOException {
    inbox = Files.createDirectory(folder.resolve("inbox"));
  }

  private ContinuousWorkflow files() {
    // docs:files
    return ContinuousWorkflow.of(
            "import-prices",
            Triggers.folder(inbox).glob("*.csv").thenMoveTo(folder.resolve("done")))
        .handler((context, event) -> {
          FolderTrigger.FileEvent file = event.payload(FolderTrigger.FileEvent.class);
          importPrices(Path.of(file.path()));
          return Next.done("imported " + file.name());
        });
    // docs:end
  }

  private void importPrices(Path file) throws IOException {
    String text = Files.readString(file);
    if (failures > 0) {
      failures--;
      throw new IOException("the price list is locked");
    }
    imported.add(text);
  }

  private ManualEngine start() {
    ManualEngine engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            MemoryStore::new,
            builder -> builder.continuous(files()));
    engine.advance(WHILE);
    return engine;
  }

  @Test
  void eachFileIsImportedOnceAndMoved() throws IOException {
    try (ManualEngine engine = start()) {
      Files.writeString(inbox.resolve("a.csv"), "lamp 10");
      Files.writeString(inbox.resolve("notes.txt"), "ignored");
      engine.advance(WHILE);
      Files.writeString(inbox.resolve("b.csv"), "chair 20");
      engine.advance(WHILE);
      assertThat(imported).containsExactly("lamp 10", "chair 20");
      assertThat(folder.resolve("done/a.csv")).exists();
      assertThat(inbox.resolve("notes.txt")).exists();
    }
  }

  @Test
  void anImportThatFailsIsRetried() throws IOException {
    failures = 2;
    try (ManualEngine engine = start()) {
      Files.writeString(inbox.resolve("a.csv"), "lamp 10");
      engine.advance(Duration.ofMinutes(10));
      assertThat(imported).containsExactly("lamp 10");
    }
  }

  @Test
  void aFileThatCameDuringACrashIsImportedOnce() throws IOException {
    try (ManualEngine engine = start()) {
      Files.writeString(inbox.resolve("a.csv"), "lamp 10");
      engine.killExecutor();
      engine.advance(engine.leaseTime().plus(WHILE));
      assertThat(imported).containsExactly("lamp 10");
    }
  }
}
