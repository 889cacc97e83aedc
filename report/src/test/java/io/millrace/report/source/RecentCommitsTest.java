package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.source.GitCommit.Lines;
import io.millrace.report.source.RecentCommits.CommitRange;
import io.millrace.schedule.DataWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecentCommitsTest {

  private static final Instant START = Instant.parse("2026-11-16T00:00:00Z");

  private static CommitRange day(int day) {
    Instant from = START.plus(Duration.ofDays(day));
    return new CommitRange(
        Path.of("mill"), "a1b2", new DataWindow(from, from.plus(Duration.ofDays(1))));
  }

  /** Returns a commit with a number of files. */
  private static List<GitCommit> files(int count) {
    TreeMap<String, Lines> files = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      files.put("file-" + i, Lines.NONE);
    }
    return List.of(new GitCommit("c3d4", "Ada", START, "x", files));
  }

  @Test
  void theOldestWindowsGiveWay() {
    RecentCommits recent = new RecentCommits(2, 100);
    recent.put(day(1), files(1));
    recent.put(day(2), files(2));
    recent.put(day(3), files(3));
    assertThat(recent.find(day(1))).isNull();
    assertThat(recent.find(day(2))).isEqualTo(files(2));
    assertThat(recent.find(day(3))).isEqualTo(files(3));
  }

  @Test
  void manyFilesLeaveRoomForFewWindows() {
    RecentCommits recent = new RecentCommits(8, 100);
    recent.put(day(1), files(40));
    recent.put(day(2), files(40));
    recent.put(day(3), files(40));
    assertThat(recent.find(day(1))).isNull();
    assertThat(recent.find(day(2))).isNotNull();
    assertThat(recent.find(day(3))).isNotNull();
    recent.put(day(4), files(100));
    assertThat(recent.find(day(4))).as("too much to keep").isNull();
    assertThat(recent.find(day(3))).as("and no reason to drop the others").isNotNull();
    recent.put(day(5), files(99));
    assertThat(recent.find(day(5))).isNotNull();
    assertThat(recent.find(day(3))).isNull();
  }

  @Test
  void commitsWithoutFilesTakeRoomToo() {
    RecentCommits recent = new RecentCommits(8, 2);
    recent.put(day(1), List.of(files(0).getFirst(), files(0).getFirst(), files(0).getFirst()));
    assertThat(recent.find(day(1))).isNull();
  }
}
