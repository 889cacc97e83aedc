package io.millrace.examples.report.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** A repository for a test, created quickly: all objects of a call are written to one pack. */
public final class TestRepository implements AutoCloseable {

  public static final Instant BEGIN = Instant.parse("2024-01-01T09:00:00Z");

  private final FileRepository git;
  private final Map<String, ObjectId> files = new TreeMap<>();
  private final List<ObjectId> heads = new ArrayList<>();
  private Instant time = BEGIN;
  private Duration step = Duration.ofHours(3);
  private String name = "Ada Brandt";
  private String email = "ada@example.org";
  private ZoneId zone = ZoneOffset.UTC;

  private TestRepository(FileRepository git) {
    this.git = git;
  }

  public static TestRepository at(Path folder) {
    return create(folder, false);
  }

  public static TestRepository bareAt(Path folder) {
    return create(folder, true);
  }

  private static TestRepository create(Path folder, boolean bare) {
    ReadOnlyGit.install(); // otherwise JGit measures file systems and writes to the home folder
    try {
      FileRepositoryBuilder builder = new FileRepositoryBuilder();
      builder =
          bare
              ? builder.setBare().setGitDir(folder.toFile())
              : builder.setWorkTree(folder.toFile());
      FileRepository git = (FileRepository) builder.build();
      git.create(bare);
      RefUpdate head = git.updateRef(Constants.HEAD);
      head.disableRefLog();
      head.link("refs/heads/main");
      return new TestRepository(git);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public TestRepository author(String newName, String newEmail) {
    name = newName;
    email = newEmail;
    return this;
  }

  public TestRepository zone(String id) {
    zone = ZoneId.of(id);
    return this;
  }

  public TestRepository at(Instant newTime) {
    time = newTime;
    return this;
  }

  /** Sets the time between the next commits. */
  public TestRepository every(Duration newStep) {
    step = newStep;
    return this;
  }

  public TestRepository write(String path, String content) {
    return write(path, content.getBytes(StandardCharsets.UTF_8));
  }

  public TestRepository write(String path, byte[] content) {
    try (ObjectInserter inserter = git.newObjectInserter()) {
      files.put(path, inserter.insert(Constants.OBJ_BLOB, content));
      inserter.flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public TestRepository remove(String path) {
    files.remove(path);
    return this;
  }

  /** Commits the written files and returns the commit's id. */
  public String commit() {
    try (ObjectInserter inserter = git.newObjectInserter()) {
      ObjectId commit = insert(inserter, heads.isEmpty() ? List.of() : List.of(heads.getLast()));
      inserter.flush();
      heads.add(commit);
      point(commit);
      return commit.name();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Commits a merge of the newest commit with another one. */
  public String merge(String other) {
    try (ObjectInserter inserter = git.newObjectInserter()) {
      ObjectId commit = insert(inserter, List.of(heads.getLast(), ObjectId.fromString(other)));
      inserter.flush();
      heads.add(commit);
      point(commit);
      return commit.name();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds many commits; each one changes one line in one of three folders. */
  public TestRepository commits(int count) {
    try (ObjectInserter inserter = git.getObjectDatabase().newPackInserter()) {
      for (int i = 0; i < count; i++) {
        int number = heads.size();
        String text = "one\ntwo " + number + "\nthree\n";
        files.put(
            List.of("src", "docs", "web").get(number % 3) + "/file.txt",
            inserter.insert(Constants.OBJ_BLOB, text.getBytes(StandardCharsets.UTF_8)));
        heads.add(insert(inserter, heads.isEmpty() ? List.of() : List.of(heads.getLast())));
      }
      inserter.flush();
      point(heads.getLast());
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Drops the newest commits, as a forced push does. */
  public TestRepository back(int count) {
    heads.subList(heads.size() - count, heads.size()).clear();
    point(heads.getLast());
    return this;
  }

  public String head() {
    return heads.getLast().name();
  }

  public Path folder() {
    return (git.isBare() ? git.getDirectory() : git.getWorkTree()).toPath();
  }

  private ObjectId insert(ObjectInserter inserter, List<ObjectId> parents) throws IOException {
    PersonIdent author = new PersonIdent(name, email, time, zone);
    time = time.plus(step);
    CommitBuilder commit = new CommitBuilder();
    commit.setTreeId(tree(inserter));
    commit.setParentIds(parents);
    commit.setAuthor(author);
    commit.setCommitter(author);
    commit.setMessage("Change");
    return inserter.insert(commit);
  }

  private ObjectId tree(ObjectInserter inserter) throws IOException {
    DirCache index = DirCache.newInCore();
    DirCacheBuilder builder = index.builder();
    files.forEach((path, blob) -> {
      DirCacheEntry entry = new DirCacheEntry(path);
      entry.setFileMode(FileMode.REGULAR_FILE);
      entry.setObjectId(blob);
      builder.add(entry);
    });
    builder.finish();
    return index.writeTree(inserter);
  }

  private void point(ObjectId commit) {
    try {
      RefUpdate update = git.updateRef("refs/heads/main");
      update.setNewObjectId(commit);
      update.disableRefLog();
      update.forceUpdate();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    git.close();
  }
}
