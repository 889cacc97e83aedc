package io.millrace.server.security;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The table of users with a password of their own. */
final class UserStore {

  /** Nothing that could be taken for another name, or that means something in an audit row. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._@+-]{0,99}");

  private final Transactions transactions;
  private final InstantSource clock;

  UserStore(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  /** A user, without the password. */
  record User(String name, Role role, Instant created) {}

  /** What is compared at a login. */
  record Login(Role role, String password) {}

  /** What came of a removal, or of a change of the role. */
  enum Outcome {
    DONE,
    UNKNOWN,
    LAST_ADMIN
  }

  /**
   * The one spelling of a name.
   *
   * @throws RejectedRequestException no user can be called that
   */
  static String name(String given) {
    String name = normalize(given);
    if (!NAME.matcher(name).matches()) {
      throw RejectedRequestException.invalid(
          "The name of a user begins with a letter or digit and goes on with letters, digits and"
              + " . _ @ + - (a to z, at most 100 characters).");
    }
    return name;
  }

  /** As {@link #name}, for names that need not be good. */
  static String normalize(String given) {
    return given.strip().toLowerCase(Locale.ROOT);
  }

  boolean isEmpty() {
    return transactions.run(
        s -> s.one("SELECT name FROM millrace_user LIMIT 1", row -> 1).isEmpty());
  }

  List<User> list() {
    return transactions.run(s ->
        s.list(
            "SELECT name, role, created FROM millrace_user ORDER BY name",
            row ->
                new User(
                    row.getString("name"),
                    Transactions.role(row),
                    Transactions.time(row, "created"))));
  }

  Optional<Login> find(String name) {
    return transactions.run(s ->
        s.one(
            "SELECT role, password FROM millrace_user WHERE name = ?",
            row -> new Login(Transactions.role(row), row.getString("password")),
            name));
  }

  /** Empty when there is somebody of that name. */
  Optional<User> add(String name, Role role, String passwordHash) {
    User user = new User(name, role, clock.instant());
    return transactions.runUnlessDuplicate(s -> {
      insert(s, user, passwordHash);
      return user;
    });
  }

  /** Takes the place of a user of that name, whose sessions end. */
  User replace(String name, Role role, String passwordHash) {
    User user = new User(name, role, clock.instant());
    return transactions.run(s -> {
      s.change("DELETE FROM millrace_user WHERE name = ?", name);
      endSessions(s, name);
      insert(s, user, passwordHash);
      return user;
    });
  }

  private static void insert(Transactions.Statements s, User user, String hash)
      throws SQLException {
    s.change(
        "INSERT INTO millrace_user (name, role, password, created) VALUES (?, ?, ?, ?)",
        user.name(),
        user.role(),
        hash,
        user.created());
  }

  /** Also ends the user's sessions and API keys. */
  Outcome remove(String name) {
    return transactions.run(s -> {
      if (isLastAdmin(s, name)) {
        return Outcome.LAST_ADMIN;
      }
      int removed = s.change("DELETE FROM millrace_user WHERE name = ?", name);
      endSessions(s, name);
      s.change("DELETE FROM millrace_api_key WHERE owner = ?", name);
      return outcome(removed);
    });
  }

  /** Also ends the user's sessions, which have the old role. */
  Outcome changeRole(String name, Role role) {
    return transactions.run(s -> {
      if (role != Role.ADMIN && isLastAdmin(s, name)) {
        return Outcome.LAST_ADMIN;
      }
      int changed = s.change("UPDATE millrace_user SET role = ? WHERE name = ?", role, name);
      endSessions(s, name);
      return outcome(changed);
    });
  }

  /** Locks the admins, so that of the last two only one can go. */
  private static boolean isLastAdmin(Transactions.Statements s, String name) throws SQLException {
    return s.list(
            "SELECT name FROM millrace_user WHERE role = ? ORDER BY name FOR UPDATE",
            row -> row.getString(1),
            Role.ADMIN)
        .equals(List.of(name));
  }

  /** After the user's row was changed, which a login locks: none that began before is left out. */
  private static void endSessions(Transactions.Statements s, String name) throws SQLException {
    s.change("DELETE FROM millrace_session WHERE user_name = ?", name);
    endLinks(s, name);
  }

  private static void endLinks(Transactions.Statements s, String name) throws SQLException {
    s.change("DELETE FROM millrace_login_link WHERE user_name = ?", name);
  }

  private static Outcome outcome(int changed) {
    return changed == 0 ? Outcome.UNKNOWN : Outcome.DONE;
  }

  /** Also ends the user's other sessions; false when there is no such user any more. */
  boolean changePassword(String name, String passwordHash, String keptSession) {
    return transactions.run(s -> {
      int changed =
          s.change("UPDATE millrace_user SET password = ? WHERE name = ?", passwordHash, name);
      s.change("DELETE FROM millrace_session WHERE user_name = ? AND hash <> ?", name, keptSession);
      endLinks(s, name);
      return changed == 1;
    });
  }
}
