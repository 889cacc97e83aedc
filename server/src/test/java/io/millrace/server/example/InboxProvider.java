package io.millrace.server.example;

import io.millrace.ProviderRegistry;
import io.millrace.WorkflowProvider;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.FolderTrigger.FileEvent;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A continuous workflow that reads each file of a folder, and a health check for the folder. */
// docs:inbox
public final class InboxProvider implements WorkflowProvider {
  @Override
  public void register(ProviderRegistry registry) {
    Path inbox = Path.of("inbox");
    registry
        .continuous(
            ContinuousWorkflow.of("inbox", Triggers.folder(inbox))
                .handler((context, event) ->
                    Next.done(
                        "read "
                            + Files.readString(Path.of(event.payload(FileEvent.class).path())))))
        .healthCheck(
            "inbox",
            () -> {
              if (!Files.isDirectory(inbox)) {
                throw new NoSuchFileException(inbox.toAbsolutePath() + " is missing; create it");
              }
            });
  }
}
// docs:end
