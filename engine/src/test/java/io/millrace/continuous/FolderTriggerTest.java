package io.millrace.continuous;

import static io.millrace.continuous.FakeTriggerContext.pause;
import static io.millrace.continuous.FakeTriggerContext.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FolderTriggerTest {

  private static final Duration FIVE = Duration.ofSeconds(5);
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

  private final FakeTriggerContext scope = new FakeTriggerContext("2026-03-02T12:00:00Z");

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

  /** Returns a trigger that accepts files without a settle time. */
  private FolderTrigger hasty() {
    return trigger().settle(Duration.ZERO);
  }

  private List<String> all(Trigger.Source source) throws Exception {
    List<String> names = new ArrayList<>();
    while (source.poll() instanceof PollResult.Event) {
      names.add(((FolderTrigger.FileEvent) scope.fire(source).payload()).name());
    }
    return names;
  }

  @Test
  void filesComeByTimeAndThenByName() throws Exception {
    write("c.txt", "1", 1);
    write("b.txt", "1", 7);
    write("a.txt", "22", 7);
    Trigger.Source source = hasty().open(scope);
    PollResult.Event first = scope.fire(source);
    assertThat(first.payload())
        .isEqualTo(
            new FolderTrigger.FileEvent(
                folder.resolve("c.txt").toString(), "c.txt", 1, NOON.plusSeconds(1)));
    assertThat(first.id()).isEqualTo("c.txt|1|2026-03-02T12:00:01Z");
    assertThat(all(source)).containsExactly("a.txt", "b.txt");
    assertThat(pause(source)).isEqualTo(FIVE);
  }

  @Test
  void aFileThatIsStillWrittenIsWaitedFor() throws Exception {
    Trigger.Source source = trigger().open(scope);
    assertThat(pause(source)).isEqualTo(FIVE);
    write("a.txt", "1", 1);
    scope.pass(FIVE);
    assertThat(pause(source)).isEqualTo(SETTLE);
    write("a.txt", "12", 1);
    scope.pass(SETTLE);
    assertThat(pause(source)).isEqualTo(SETTLE);
    write("a.txt", "21", 2);
    scope.pass(SETTLE);
    assertThat(pause(source)).isEqualTo(SETTLE);
    scope.pass(SETTLE);
    assertThat(scope.fire(source).id()).isEqualTo("a.txt|2|2026-03-02T12:00:02Z");
  }

  @Test
  void oneThatChangesOrGoesWhileItWaitsForItsTurnIsNotTaken() throws Exception {
    write("a.txt", "1", 1);
    write("b.txt", "1", 2);
    write("c.txt", "1", 3);
    Trigger.Source source = trigger().open(scope);
    assertThat(pause(source)).isEqualTo(SETTLE);
    scope.pass(SETTLE);
    scope.fire(source);
    Files.delete(folder.resolve("b.txt"));
    write("c.txt", "123", 9);
    assertThat(pause(source)).isEqualTo(FIVE);
    scope.pass(FIVE);
    assertThat(pause(source)).isEqualTo(SETTLE);
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
    assertThat(pause(hasty().open(scope))).isEqualTo(FIVE);
  }

  @Test
  void filesComeInBatches() throws Exception {
    for (int i = 1; i <= 5; i++) {
      write(i + ".txt", "1", i);
    }
    Trigger.Source source = hasty().batches(2).thenDelete().open(scope);
    PollResult.Event lost = read(source);
    assertThat(read(source).id()).as("not accepted, so it comes again").isEqualTo(lost.id());
    assertThat(names(scope.fire(source))).containsExactly("1.txt", "2.txt");
    assertThat(folder.resolve("2.txt")).doesNotExist();
    Files.delete(folder.resolve("3.txt"));
    assertThat(names(scope.fire(source))).containsExactly("4.txt", "5.txt");
    assertThat(pause(source)).isEqualTo(FIVE);
    write("6.txt", "1", 6);
    scope.pass(FIVE);
    assertThat(names(scope.fire(hasty().batches(2).open(scope)))).containsExactly("6.txt");
    assertThat(pause(hasty().batches(2).open(scope))).isEqualTo(FIVE);
  }

  private static List<String> names(PollResult.Event event) {
    return ((FolderTrigger.FileBatchEvent) event.payload())
        .files().stream().map(FolderTrigger.FileEvent::name).toList();
  }

  @Test
  void aBatchWithLongPathsEndsBeforeItIsTooLong() throws Exception {
    String deep = "d".repeat(200) + "/";
    for (int i = 0; i < 300; i++) {
      write(deep.repeat(5) + i, "", 1);
    }
    Trigger.Source source = hasty().withSubfolders().batches(1_000).open(scope);
    assertThat(names(scope.fire(source))).hasSizeBetween(100, 250);
    assertThat(names(scope.fire(source))).hasSizeBetween(50, 200);
    assertThat(pause(source)).isEqualTo(FIVE);
  }

  @Test
  void oneThatWasNotAcceptedComesAgain() throws Exception {
    write("a.txt", "1", 1);
    Trigger.Source source = hasty().open(scope);
    PollResult.Event lost = read(source);
    assertThat(read(source).id()).isEqualTo(lost.id());
    assertThat(read(hasty().open(scope)).id()).isEqualTo(lost.id());
  }

  @Test
  void aFolderThatIsNotThereIsWaitedForAndMayComeAgain() throws Exception {
    Path late = folder.resolve("late");
    Trigger trigger = Triggers.folder(late).settle(Duration.ZERO);
    Trigger.Source source = trigger.open(scope);
    assertThat(pause(source)).isEqualTo(FIVE);
    write("late/a.txt", "1", 1);
    assertThat(pause(source)).isEqualTo(FIVE);
    scope.pass(FIVE);
    assertThat(all(source)).containsExactly("a.txt");
    Files.delete(late.resolve("a.txt"));
    Files.delete(late);
    scope.pass(FIVE);
    assertThat(pause(source)).isEqualTo(FIVE);
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
    assertThat(all(deep.glob("*.csv").open(new FakeTriggerContext("2026-03-02T12:00:00Z"))))
        .containsExactly("a.csv", "in/b.csv", "in/deep/c.csv");
    assertThat(all(deep.glob("in/*.csv").open(new FakeTriggerContext("2026-03-02T12:00:00Z"))))
        .containsExactly("in/b.csv");
  }

  @Test
  void movedWhenAccepted() throws Exception {
    write("a.txt", "new", 1);
    write("done/a.txt", "old", 0);
    write("b.txt", "b", 2);
    Path done = folder.resolve("done");
    Trigger.Source source = hasty().withSubfolders().thenMoveTo(done).open(scope);
    PollResult.Event first = read(source);
    assertThat(folder.resolve("a.txt")).exists();
    String place = ((FolderTrigger.FileEvent) first.payload()).path();
    assertThat(place).startsWith(done.resolve("a.txt.").toString());
    scope.fire(source);
    assertThat(Path.of(place)).hasContent("new");
    assertThat(all(source)).containsExactly("b.txt");
    assertThat(done.resolve("b.txt")).hasContent("b");
    assertThat(pause(source)).isEqualTo(FIVE);
    assertThat(scope.memory).as("the last one is forgotten with the next").hasSize(1);
  }

  @Test
  void deletedWhenAcceptedAndNotWhenItHasChangedSince() throws Exception {
    write("a.txt", "1", 1);
    write("b.txt", "1", 2);
    Trigger.Source source = hasty().thenDelete().open(scope);
    scope.fire(source);
    assertThat(folder.resolve("a.txt")).doesNotExist();
    PollResult.Event b = read(source);
    write("b.txt", "2", 3);
    b.accepted().run();
    assertThat(folder.resolve("b.txt")).hasContent("2");
  }

  @Test
  void whatACrashAfterTheAcceptanceHasLeftUndoneIsDone() throws Exception {
    write("a.txt", "1", 1);
    scope.write(read(hasty().thenDelete().open(scope)));
    Trigger.Source next = hasty().thenDelete().open(scope);
    assertThat(pause(next)).isEqualTo(FIVE);
    assertThat(folder.resolve("a.txt")).doesNotExist();
  }

  @Test
  void tenThousandFilesAreRememberedOneByOne() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      Files.writeString(folder.resolve("file-" + i), "");
    }
    List<String> names = all(hasty().open(scope));
    assertThat(names).hasSize(10_000).doesNotHaveDuplicates();
    assertThat(scope.position).as("as long as after one file").hasSizeLessThan(20);
    assertThat(scope.memory).hasSize(10_000);
    assertThat(pause(hasty().open(scope))).isEqualTo(FIVE);
    write("file-17", "changed", 1);
    assertThat(all(hasty().open(scope))).containsExactly("file-17");
  }

  /** Returns a position of earlier versions, which contains all marks. */
  private String earlierPosition(long allUntil, String... names) throws IOException {
    StringBuilder text = new StringBuilder("files:" + allUntil + ":");
    for (String name : names) {
      Path path = folder.resolve(name);
      FolderFile file =
          new FolderFile(name, Files.size(path), Files.getLastModifiedTime(path).toInstant());
      text.append(FolderFile.shortened(file.mark()));
    }
    return text.toString();
  }

  @Test
  void thePositionOfEarlierVersionsIsReadOn() throws Exception {
    write("old.txt", "1", -9_000);
    write("a.txt", "1", 1);
    write("b.txt", "1", 2);
    write("c.txt", "1", 3);
    scope.position = earlierPosition(NOON.minusSeconds(1).toEpochMilli(), "a.txt", "b.txt");
    assertThat(all(hasty().open(scope))).containsExactly("c.txt");
    assertThat(scope.position).isEqualTo("files:0:");
    write("older.txt", "1", -9_999); // with more than 12,000 files it was passed over before
    write("d.txt", "1", 4);
    assertThat(all(hasty().open(scope))).containsExactly("older.txt", "d.txt");
    assertThat(pause(hasty().open(scope))).isEqualTo(FIVE);
  }

  @Test
  void aLongPositionOfEarlierVersionsBecomesItemsByAndBy() throws Exception {
    String[] names = new String[12_000];
    for (int i = 0; i < names.length; i++) {
      names[i] = "file-" + i;
      Files.writeString(folder.resolve(names[i]), "");
    }
    scope.position = earlierPosition(0, names);
    String before = scope.position;
    write("1.txt", "1", 1);
    write("2.txt", "1", 2);
    write("3.txt", "1", 3);
    scope.fire(hasty().open(scope));
    assertThat(scope.position).as("still needed").isEqualTo(before);
    assertThat(scope.memory).hasSize(AcceptedFiles.MAX_CHANGES);
    assertThat(all(hasty().open(scope))).containsExactly("2.txt", "3.txt");
    assertThat(scope.position).isEqualTo("files:0:");
    assertThat(scope.memory).hasSize(names.length + 3);
    assertThat(pause(hasty().open(scope))).isEqualTo(FIVE);
  }

  @Test
  void oneOfTheSameNameTimeAndSizeThatComesWhenTheFirstWasMovedIsRemembered() throws Exception {
    Trigger trigger = hasty().thenDelete();
    Trigger.Source source = trigger.open(scope);
    write("a.txt", "1", 1);
    assertThat(all(source)).containsExactly("a.txt");
    write("a.txt", "1", 1);
    scope.pass(FIVE);
    PollResult.Event again = read(source);
    scope.write(again); // and the process dies before it deletes the file
    assertThat(pause(trigger.open(scope))).isEqualTo(FIVE);
    assertThat(folder.resolve("a.txt")).doesNotExist();
  }

  @Test
  void manyThatAreGoneAreForgottenButNotWhenTheFolderIsEmpty() throws Exception {
    for (int i = 0; i < AcceptedFiles.MAX_MARKS + 1; i++) {
      Files.writeString(folder.resolve("file-" + i), "");
    }
    Trigger.Source source = hasty().open(scope);
    all(source);
    for (int i = 0; i < AcceptedFiles.MAX_MARKS + 1; i++) {
      Files.delete(folder.resolve("file-" + i));
    }
    scope.pass(FIVE);
    assertThat(pause(source)).isEqualTo(FIVE);
    assertThat(scope.memory).hasSize(AcceptedFiles.MAX_MARKS + 1);
    write("one.txt", "1", 1);
    scope.pass(FIVE);
    assertThat(all(source)).containsExactly("one.txt");
    assertThat(scope.memory).hasSize(1);
  }

  @Test
  void nothingIsForgottenWhileAPartOfTheFolderCannotBeRead() throws Exception {
    for (int i = 0; i < AcceptedFiles.MAX_MARKS + 1; i++) {
      write("in/file-" + i, "", 1);
    }
    write("a.txt", "1", 1);
    FolderTrigger trigger = hasty().withSubfolders();
    assertThat(all(trigger.open(scope))).hasSize(AcceptedFiles.MAX_MARKS + 2);
    Set<String> remembered = Set.copyOf(scope.memory);
    Path in = folder.resolve("in");
    Path tooDeep = nearTheLongestPath();
    Files.move(in, tooDeep);
    try {
      write("b.txt", "1", 1);
      assertThat(all(trigger.open(scope))).containsExactly("b.txt");
      assertThat(scope.memory).containsAll(remembered);
    } finally {
      Files.move(tooDeep, in);
    }
  }

  /** Returns a place for a folder whose files have paths that are too long for Linux. */
  private Path nearTheLongestPath() throws IOException {
    Path path = folder;
    int longest = 4_090;
    while (longest - path.toString().length() > 201) {
      path = path.resolve("d".repeat(Math.min(200, longest - path.toString().length() - 10)));
    }
    Files.createDirectories(path);
    return path.resolve("d".repeat(longest - path.toString().length() - 1));
  }

  @Test
  void aBackslashIsPartOfANameWhereFoldersAreSeparatedBySlashes() throws Exception {
    write("a\\b.txt", "1", 1);
    assertThat(all(hasty().open(scope))).containsExactly("a\\b.txt");
  }

  @Test
  void aLongNameStillHasAnId() throws Exception {
    String name = "long".repeat(50);
    write(name, "1", 1);
    PollResult.Event event = read(hasty().open(scope));
    assertThat(event.id()).matches("[0-9a-f]{64}");
    scope.position = "2026-03-02T12:00:00Z"; // of another trigger
    assertThat(read(hasty().open(scope)).id()).isEqualTo(event.id());
  }

  /** Creates a file whose name is not text in the usual encodings, by its bytes. */
  private Path undecodable(String escapedName) throws IOException {
    return Files.writeString(Path.of(URI.create(folder.toUri() + escapedName)), "1");
  }

  @Tag("kills")
  @ParameterizedTest
  @CsvSource({"C, name=caf%C3%A9.txt, 2", "C.UTF-8, name=caf%E9.txt, 1"})
  void aNameThatTheLocaleCannotWriteIsReportedAndTheOthersGoOn(
      String locale, String reported, int skipped) throws Exception {
    undecodable("caf%C3%A9.txt");
    undecodable("caf%E9.txt");
    write("a.txt", "1", 1);
    write("z.txt", "1", 2);
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                FolderLister.class.getName(),
                folder.toString())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", locale);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output.lines().filter(line -> line.startsWith("accepted")).count())
        .as(output)
        .isEqualTo(4 - skipped);
    assertThat(output).contains("accepted a.txt", "accepted z.txt").doesNotContain("Exception");
    List<String> warnings = output.lines().filter(line -> line.contains("Skipped")).toList();
    assertThat(warnings)
        .as("one at once, and one ten minutes later")
        .hasSize(2)
        .allMatch(line ->
            line.contains(reported)
                && line.contains("folder=" + folder)
                && line.contains("skipped=" + skipped)
                && line.contains("LC_ALL"));
  }

  @Test
  void whatCannotBeIsRefused() {
    refused(() -> trigger().every(Duration.ZERO), "looked at every PT0S");
    refused(() -> trigger().settle(Duration.ofSeconds(-1)), "PT-1S");
    refused(() -> trigger().batches(0), "batches of 0; expected 1 to 1000");
    refused(() -> trigger().batches(1_001), "batches of 1001");
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
