package io.millrace.continuous;

import java.nio.file.Path;
import java.time.Duration;

/** A program that prints the files that a folder trigger accepts in the locale of its process. */
final class FolderLister {

  private FolderLister() {}

  public static void main(String[] arguments) throws Exception {
    FakeScope scope = new FakeScope("2026-03-02T12:00:00Z");
    Trigger.Source source =
        Triggers.folder(Path.of(arguments[0])).settle(Duration.ZERO).open(scope);
    accept(source, scope);
    scope.pass(Duration.ofSeconds(5));
    accept(source, scope);
    scope.pass(Duration.ofMinutes(10));
    accept(source, scope);
  }

  private static void accept(Trigger.Source source, FakeScope scope) throws Exception {
    while (source.poll() instanceof Poll.Event) {
      FolderTrigger.Arrival arrival = (FolderTrigger.Arrival) scope.fire(source).payload();
      System.out.println("accepted " + arrival.name());
    }
  }
}
