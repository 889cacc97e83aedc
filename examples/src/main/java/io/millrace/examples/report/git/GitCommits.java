package io.millrace.examples.report.git;

import io.millrace.examples.report.git.CommitFacts.Kind;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the commits of one repository, one after the other. Not thread-safe; must be closed.
 */
public final class GitCommits implements AutoCloseable {

  private final ObjectReader reader;
  private final RevWalk walk;
  private final Set<? extends AnyObjectId> cut;

  GitCommits(Repository git) throws IOException {
    reader = git.newObjectReader();
    walk = new RevWalk(reader);
    cut = git.getObjectDatabase().getShallowCommits();
  }

  /** Returns the facts about the commit with an id. */
  public CommitFacts read(String id) throws IOException {
    RevCommit commit = walk.parseCommit(ObjectId.fromString(id));
    Kind kind = kindOf(commit);
    LineCounter lines = new LineCounter(reader);
    Map<String, LineCounts> churn = kind == Kind.NORMAL ? churn(commit, lines) : Map.of();
    CommitFacts facts = facts(commit, kind, churn, lines.uncounted());
    commit.disposeBody();
    return facts;
  }

  private Kind kindOf(RevCommit commit) {
    if (cut.contains(commit)) {
      return Kind.CUT;
    }
    return commit.getParentCount() > 1 ? Kind.MERGE : Kind.NORMAL;
  }

  private static CommitFacts facts(
      RevCommit commit, Kind kind, Map<String, LineCounts> churn, int uncounted) {
    PersonIdent author = commit.getAuthorIdent();
    if (author == null) {
      author =
          new PersonIdent(
              "unknown", "", commit.getCommitterIdent().getWhenAsInstant(), ZoneOffset.UTC);
    }
    String name = author.getName().isBlank() ? author.getEmailAddress() : author.getName();
    String email = author.getEmailAddress().isBlank() ? name : author.getEmailAddress();
    return new CommitFacts(
        commit.name(),
        author.getWhenAsInstant().getEpochSecond(),
        author.getZoneOffset().getTotalSeconds() / 60,
        new CommitFacts.Author(name, email.toLowerCase(Locale.ROOT)),
        kind,
        churn,
        uncounted);
  }

  private Map<String, LineCounts> churn(RevCommit commit, LineCounter counter) throws IOException {
    Map<String, LineCounts> churn = new TreeMap<>();
    try (TreeWalk files = new TreeWalk(reader)) {
      files.setRecursive(true);
      files.setFilter(TreeFilter.ANY_DIFF);
      addParent(files, commit);
      files.addTree(commit.getTree());
      while (files.next()) {
        LineCounts lineCounts = counter.count(blob(files, 0), blob(files, 1));
        if (lineCounts.total() > 0) {
          churn.merge(topFolder(files.getPathString()), lineCounts, LineCounts::plus);
        }
      }
    }
    return churn;
  }

  private void addParent(TreeWalk files, RevCommit commit) throws IOException {
    if (commit.getParentCount() == 0) {
      files.addTree(new EmptyTreeIterator());
      return;
    }
    RevCommit parent = commit.getParent(0);
    walk.parseHeaders(parent);
    files.addTree(parent.getTree());
  }

  private static @Nullable ObjectId blob(TreeWalk files, int tree) {
    int type = files.getRawMode(tree) & FileMode.TYPE_MASK;
    return type == FileMode.TYPE_FILE ? files.getObjectId(tree) : null;
  }

  private static String topFolder(String path) {
    int slash = path.indexOf('/');
    return slash < 0 ? CommitFacts.TOP : path.substring(0, slash);
  }

  @Override
  public void close() {
    walk.close();
    reader.close();
  }
}
