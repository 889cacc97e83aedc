package io.millrace.continuous;

import static io.millrace.continuous.FakeScope.read;
import static io.millrace.continuous.FakeScope.rest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTriggerTest {

  private static final Duration FIVE = Duration.ofSeconds(5);
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

  private final FakeScope scope = new FakeScope("2026-03-02T12:00:00Z");

  @TempDir Path folder;

  private void write(String name, String text, int second) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    Files.setLastModifiedTime(path, FileTime.from(NOON.plusSeconds(second)));
  }

  private FolderTrigger trigger() {
    return Triggers.folder(folder);
  }

  /** One that takes files as they are. */
  private FolderTrigger hasty() {
    return trigger().settle(Duration.ZERO);
  }

  private List<String> all(Trigger.Source source) throws Exception {
    List<String> names = new ArrayList<>();
    while (source.poll() instanceof Poll.Event) {
      names.add(((FolderTrigger.Arrival) scope.fire(source).payload()).name());
    }
    return names;
  }

  @Test
  void filesComeByTimeAndThenByName() throws Exception {
    write("c.txt", "1", 1);
    write("b.txt", "1", 7);
    write("a.txt", "22", 7);
    Trigger.Source source = hasty().open(scope);
    Poll.Event first = scope.fire(source);
    assertThat(first.payload())
        .isEqualTo(
            new FolderTrigger.Arrival(
                folder.resolve("c.txt").toString(), "c.txt", 1, NOON.plusSeconds(1)));
    assertThat(first.id()).isEqualTo("c.txt|1|2026-03-02T12:00:01Z");
    assertThat(all(source)).containsExactly("a.txt", "b.txt");
    assertThat(rest(source)).isEqualTo(FIVE);
  }

  @Test
  void aFileThatIsStillWrittenIsWaitedFor() throws Exception {
    Trigger.Source source = trigger().open(scope);
    assertThat(rest(source)).isEqualTo(FIVE);
    write("a.txt", "1", 1);
    scope.pass(FIVE);
    assertThat(rest(source)).isEqualTo(SETTLE);
    write("a.txt", "12", 1);
    scope.pass(SETTLE);
    assertThat(rest(source)).isEqualTo(SETTLE);
    write("a.txt", "21", 2);
    scope.pass(SETTLE);
    assertThat(rest(source)).isEqualTo(SETTLE);
    scope.pass(SETTLE);
    assertThat(scope.fire(source).id()).isEqualTo("a.txt|2|2026-03-02T12:00:02Z");
  }

  @Test
  void oneThatChangesOrGoesWhileItWaitsForItsTurnIsNotTaken() throws Exception {
    write("a.txt", "1", 1);
    write("b.txt", "1", 2);
    write("c.txt", "1", 3);
    Trigger.Source source = trigger().open(scope);
    assertThat(rest(source)).isEqualTo(SETTLE);
    scope.pass(SETTLE);
    scope.fire(source);
    Files.delete(folder.resolve("b.txt"));
    write("c.txt", "123", 9);
    assertThat(rest(source)).isEqualTo(FIVE);
    scope.pass(FIVE);
    assertThat(rest(source)).isEqualTo(SETTLE);
    scope.pass(SETTLE);
    assertThat(all(source)).containsExactly("c.txt");
  }

  @Test
  void acceptedOnesComeNoMoreAfterARestartUnlessTheyChange() throws Exception {
    write("a.txt", "1", 1);
    write("b.txt", "1", 2);
    assertThat(all(hasty().open(scope))).containsExactly("a.txt", "b.txt");
    write("a.txt", "2", 3);
    write("old.txt", "1", -5_000); // moved here while nobody looked, with its time of then
    assertThat(all(hasty().open(scope))).containsExactly("old.txt", "a.txt");
    assertThat(rest(hasty().open(scope))).isEqualTo(FIVE);
  }

  @Test
  void oneThatWasNotAcceptedComesAgain() throws Exception {
    write("a.txt", "1", 1);
    Trigger.Source source = hasty().open(scope);
    Poll.Event lost = read(source);
    assertThat(read(source).id()).isEqualTo(lost.id());
    assertThat(read(hasty().open(scope)).id()).isEqualTo(lost.id());
  }

  @Test
  void aFolderThatIsNotThereIsWaitedForAndMayComeAgain() throws Exception {
    Path late = folder.resolve("late");
    Trigger trigger = Triggers.folder(late).settle(Duration.ZERO);
    Trigger.Source source = trigger.open(scope);
    assertThat(rest(source)).isEqualTo(FIVE);
    write("late/a.txt", "1", 1);
    assertThat(rest(source)).isEqualTo(FIVE);
    scope.pass(FIVE);
    assertThat(all(source)).containsExactly("a.txt");
    Files.delete(late.resolve("a.txt"));
    Files.delete(late);
    scope.pass(FIVE);
    assertThat(rest(source)).isEqualTo(FIVE);
    write("late/a.txt", "1", 1); // the same again, as when a disk was away
    write("late/b.txt", "1", 2);
    scope.pass(FIVE);
    assertThat(all(source)).containsExactly("b.txt");
  }

  @Test
  void subfoldersAndPatterns() throws Exception {
    write("a.csv", "1", 1);
    write("a.txt", "1", 2);
    write("in/b.csv", "1", 3);
    write("in/deep/c.csv", "1", 4);
    assertThat(all(hasty().glob("*.csv").open(scope))).containsExactly("a.csv");
    FolderTrigger deep = hasty().withSubfolders();
    assertThat(all(deep.glob("*.csv").open(new FakeScope("2026-03-02T12:00:00Z"))))
        .containsExactly("a.csv", "in/b.csv", "in/deep/c.csv");
    assertThat(all(deep.glob("in/*.csv").open(new FakeScope("2026-03-02T12:00:00Z"))))
        .containsExactly("in/b.csv");
  }

  @Test
  void movedWhenAccepted() throws Exception {
    write("a.txt", "new", 1);
    write("done/a.txt", "old", 0);
    write("b.txt", "b", 2);
    Path done = folder.resolve("done");
    Trigger.Source source = hasty().withSubfolders().thenMoveTo(done).open(scope);
    Poll.Event first = read(source);
    assertThat(folder.resolve("a.txt")).exists();
    String place = ((FolderTrigger.Arrival) first.payload()).path();
    assertThat(place).startsWith(done.resolve("a.txt.").toString());
    scope.fire(source);
    assertThat(Path.of(place)).hasContent("new");
    assertThat(all(source)).containsExactly("b.txt");
    assertThat(done.resolve("b.txt")).hasContent("b");
    assertThat(rest(source)).isEqualTo(FIVE);
    assertThat(scope.position).hasSizeLessThan(40); // nothing is left to be remembered
  }

  @Test
  void deletedWhenAcceptedAndNotWhenItHasChangedSince() throws Exception {
    write("a.txt", "1", 1);
    write("b.txt", "1", 2);
    Trigger.Source source = hasty().thenDelete().open(scope);
    scope.fire(source);
    assertThat(folder.resolve("a.txt")).doesNotExist();
    Poll.Event b = read(source);
    write("b.txt", "2", 3);
    b.accepted().run();
    assertThat(folder.resolve("b.txt")).hasContent("2");
  }

  @Test
  void whatACrashAfterTheAcceptanceHasLeftUndoneIsDone() throws Exception {
    write("a.txt", "1", 1);
    scope.position = read(hasty().thenDelete().open(scope)).position();
    Trigger.Source next = hasty().thenDelete().open(scope);
    assertThat(rest(next)).isEqualTo(FIVE);
    assertThat(folder.resolve("a.txt")).doesNotExist();
  }

  @Test
  void tenThousandFilesAreRememberedWithinTheBound() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      Files.writeString(folder.resolve("file-" + i), "");
    }
    List<String> names = all(hasty().open(scope));
    assertThat(names).hasSize(10_000).doesNotHaveDuplicates();
    assertThat(scope.position).hasSizeLessThan(100_000);
    assertThat(rest(hasty().open(scope))).isEqualTo(FIVE);
    write("file-17", "changed", 1);
    assertThat(all(hasty().open(scope))).containsExactly("file-17");
  }

  @Test
  void whatIsForgottenIsCoveredByItsTime() {
    FolderMemory memory = new FolderMemory();
    List<FolderFile> files = new ArrayList<>();
    for (int i = 0; i < FolderMemory.MOST + 500; i++) {
      FolderFile file = new FolderFile("f" + i, 1, NOON.plusSeconds(i));
      files.add(file);
      memory.add(file.mark(), file.modified());
    }
    FolderFile last = new FolderFile("last", 1, NOON.plusSeconds(99_999));
    String position = memory.with(last.mark());
    assertThat(position).hasSizeLessThan(100_000);
    FolderMemory read = FolderMemory.of(position);
    assertThat(files).allMatch(file -> read.knows(file, file.mark()));
    assertThat(read.knows(last, last.mark())).isTrue();
    FolderFile other = new FolderFile("f1", 2, NOON.plusSeconds(600));
    assertThat(read.knows(other, other.mark())).isFalse();
  }

  @Test
  void manyThatAreGoneAreForgottenButNotWhenTheFolderIsEmpty() throws Exception {
    for (int i = 0; i < FolderMemory.FEW + 1; i++) {
      Files.writeString(folder.resolve("file-" + i), "");
    }
    Trigger.Source source = hasty().open(scope);
    all(source);
    for (int i = 0; i < FolderMemory.FEW + 1; i++) {
      Files.delete(folder.resolve("file-" + i));
    }
    scope.pass(FIVE);
    assertThat(rest(source)).isEqualTo(FIVE);
    assertThat(scope.position).hasSizeGreaterThan(8_000);
    write("one.txt", "1", 1);
    scope.pass(FIVE);
    assertThat(all(source)).containsExactly("one.txt");
    assertThat(scope.position).hasSizeLessThan(40);
  }

  @Test
  void aLongNameStillHasAnId() throws Exception {
    String name = "long".repeat(50);
    write(name, "1", 1);
    Poll.Event event = read(hasty().open(scope));
    assertThat(event.id()).matches("[0-9a-f]{64}");
    scope.position = "2026-03-02T12:00:00Z"; // of another trigger
    assertThat(read(hasty().open(scope)).id()).isEqualTo(event.id());
  }

  @Test
  void whatCannotBeIsRefused() {
    refused(() -> trigger().every(Duration.ZERO), "looked at every PT0S");
    refused(() -> trigger().settle(Duration.ofSeconds(-1)), "PT-1S");
    refused(() -> trigger().glob("[a"), "The pattern '[a' of files is wrong");
    refused(() -> trigger().thenMoveTo(folder.resolve("x/..")), "moved to the same folder");
    assertThat(trigger().glob("*.csv").withSubfolders().describe())
        .isEqualTo("new and changed files *.csv in " + folder + " and its folders");
  }

  private static void refused(Runnable making, String why) {
    assertThatThrownBy(making::run)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(why);
  }
}
