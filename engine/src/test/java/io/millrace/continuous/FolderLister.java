package io.millrace.continuous;

import java.nio.file.Path;
import java.time.Duration;

/** A program that prints the files that a folder trigger accepts in the locale of its process. */
final class FolderLister {

  private FolderLister() {}

  public static void main(String[] arguments) throws Exception {
    FakeTriggerContext scope = new FakeTriggerContext("2026-03-02T12:00:00Z");
    Trigger.Source source =
        Triggers.folder(Path.of(arguments[0])).settle(Duration.ZERO).open(scope);
    accept(source, scope);
    scope.pass(Duration.ofSeconds(5));
    accept(source, scope);
    scope.pass(Duration.ofMinutes(10));
    accept(source, scope);
  }

  private static void accept(Trigger.Source source, FakeTriggerContext scope) throws Exception {
    while (source.poll() instanceof PollResult.Event) {
      FolderTrigger.FileEvent fileEvent = (FolderTrigger.FileEvent) scope.fire(source).payload();
      System.out.println("accepted " + fileEvent.name());
    }
  }
}
