package io.millrace.server.security;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The table of users with a password. */
final class UserStore {

  /**
   * Valid names: none that could be confused with another name, or that has a meaning in the audit.
   */
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._@+-]{0,99}");

  private final Transactions transactions;
  private final InstantSource clock;

  UserStore(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  /** A user, without the password. */
  record User(String name, Role role, Instant created) {}

  /** The data that a login is compared with. */
  record Login(Role role, String password) {}

  /** The result of a removal, or of a change of the role. */
  enum Outcome {
    DONE,
    UNKNOWN,
    LAST_ADMIN
  }

  /**
   * Returns the canonical spelling of a name.
   *
   * @throws RejectedRequestException if the name is invalid
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

  /** Returns the spelling as {@link #name} does, for a name that may be invalid. */
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
            "SELECT name, role, created_at FROM millrace_user ORDER BY name",
            row ->
                new User(
                    row.getString("name"),
                    Transactions.role(row),
                    Transactions.time(row, "created_at"))));
  }

  Optional<Login> find(String name) {
    return transactions.run(s ->
        s.one(
            "SELECT role, password_hash FROM millrace_user WHERE name = ?",
            row -> new Login(Transactions.role(row), row.getString("password_hash")),
            name));
  }

  /** Adds a user; empty if there is one of that name. */
  Optional<User> add(String name, Role role, String passwordHash) {
    User user = new User(name, role, clock.instant());
    return transactions.runUnlessDuplicate(s -> {
      insert(s, user, passwordHash);
      return user;
    });
  }

  /** Replaces the user of that name, whose sessions end. */
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
        "INSERT INTO millrace_user (name, role, password_hash, created_at) VALUES (?, ?, ?, ?)",
        user.name(),
        user.role(),
        hash,
        user.created());
  }

  /** Removes a user, and ends the user's sessions and API keys. */
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

  /** Changes the role of a user, and ends the user's sessions, which have the old role. */
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

  /**
   * Returns true for the only administrator. It locks the administrators, so that two concurrent
   * calls cannot remove the last two.
   */
  private static boolean isLastAdmin(Transactions.Statements s, String name) throws SQLException {
    return s.list(
            "SELECT name FROM millrace_user WHERE role = ? ORDER BY name FOR UPDATE",
            row -> row.getString(1),
            Role.ADMIN)
        .equals(List.of(name));
  }

  /**
   * Ends the sessions of a user. It must run after the user's row was changed, which a login locks,
   * so that no session of an earlier login is missed.
   */
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

  /**
   * Changes the password, and ends the user's other sessions; false if the user no longer exists.
   */
  boolean changePassword(String name, String passwordHash, String keptSession) {
    return transactions.run(s -> {
      int changed =
          s.change("UPDATE millrace_user SET password_hash = ? WHERE name = ?", passwordHash, name);
      s.change("DELETE FROM millrace_session WHERE user_name = ? AND hash <> ?", name, keptSession);
      endLinks(s, name);
      return changed == 1;
    });
  }
}
