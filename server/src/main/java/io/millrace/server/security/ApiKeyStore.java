package io.millrace.server.security;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of API keys. */
final class ApiKeyStore {

  /** The prefix by which people, and programs that search for leaked secrets, recognize a key. */
  static final String PREFIX = "mr_";

  /** The prefix of owners that only the issuer knows. */
  static final String OIDC_OWNER = "oidc:";

  /** Upper limit of the days of keys that do not end with a user of this server. */
  static final int MAX_DAYS_WITHOUT_OWNER = 90;

  private static final int SHOWN = 10;
  private static final String SELECT =
      """
      SELECT k.id, k.name, k.role, k.prefix, k.created_at, k.expires_at, k.last_used_at, k.owner,
        u.role AS owner_role
      FROM millrace_api_key k LEFT JOIN millrace_user u ON u.name = k.owner
      """;

  private final Transactions transactions;
  private final InstantSource clock;

  ApiKeyStore(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * A key, without its secret.
   *
   * @param role its current role, never more than that of its owner
   * @param owner null for a key without an owner
   * @param orphan true if its owner is no longer a user
   */
  record ApiKey(
      long id,
      String name,
      Role role,
      String prefix,
      Instant created,
      @Nullable Instant expires,
      @Nullable Instant lastUsed,
      @Nullable String owner,
      boolean orphan) {

    boolean isValidAt(Instant now) {
      return !orphan && (expires == null || now.isBefore(expires));
    }
  }

  /** A new key with its secret, which cannot be read again later. */
  record CreatedKey(ApiKey key, String secret) {}

  List<ApiKey> list() {
    return transactions.run(s -> s.list(SELECT + "ORDER BY k.id", ApiKeyStore::read));
  }

  /** Creates a key without an owner. */
  CreatedKey add(String name, Role role, @Nullable Integer days) {
    return add(name, role, days, null);
  }

  /** Creates a key that ends with its owner, and never has more permissions than its owner. */
  CreatedKey add(String name, Role role, @Nullable Integer days, @Nullable String owner) {
    String secret = PREFIX + SecureTokens.random();
    String prefix = secret.substring(0, SHOWN);
    Instant now = clock.instant();
    Instant expires = days == null ? null : now.plus(Duration.ofDays(days));
    long id =
        transactions.run(s ->
            s.insert(
                """
                INSERT INTO millrace_api_key (name, role, prefix, hash, created_at, expires_at, owner)
                VALUES (?, ?, ?, ?, ?, CAST(? AS timestamp(6) with time zone), CAST(? AS varchar))
                """,
                name,
                role,
                prefix,
                SecureTokens.hash(secret),
                now,
                expires,
                owner));
    return new CreatedKey(
        new ApiKey(id, name, role, prefix, now, expires, null, owner, false), secret);
  }

  /** Creates a key in place of those with the same name and owner. */
  CreatedKey replace(String name, Role role, int days, String owner) {
    transactions.run(
        s -> s.change("DELETE FROM millrace_api_key WHERE name = ? AND owner = ?", name, owner));
    return add(name, role, days, owner);
  }

  /** Returns the valid keys without an owner, which do not end with any user. */
  List<ApiKey> withoutOwner() {
    Instant now = clock.instant();
    return list().stream().filter(key -> key.owner() == null && key.isValidAt(now)).toList();
  }

  /** Limits keys without an owner to {@code most} from now; never extends them. */
  void endWithoutOwner(Duration most) {
    Instant end = clock.instant().plus(most);
    transactions.run(s ->
        s.change(
            """
            UPDATE millrace_api_key SET expires_at = CAST(? AS timestamp(6) with time zone)
            WHERE owner IS NULL
              AND (expires_at IS NULL OR expires_at > CAST(? AS timestamp(6) with time zone))
            """,
            end,
            end));
  }

  /** Removes a key and returns its name; empty if there is none. */
  Optional<String> remove(long id) {
    return transactions.run(s -> {
      Optional<String> name =
          s.one("SELECT name FROM millrace_api_key WHERE id = ?", row -> row.getString(1), id);
      s.change("DELETE FROM millrace_api_key WHERE id = ?", id);
      return name;
    });
  }

  /** Finds a valid key and records its use, at most once a minute. */
  Optional<ApiKey> use(String hash) {
    Instant now = clock.instant();
    return transactions.run(s -> {
      Optional<ApiKey> found =
          s.one(SELECT + "WHERE k.hash = ?", ApiKeyStore::read, hash)
              .filter(key -> key.isValidAt(now));
      if (found.isPresent() && isOld(found.get().lastUsed(), now)) {
        s.change(
            "UPDATE millrace_api_key SET last_used_at = ? WHERE id = ?", now, found.get().id());
      }
      return found;
    });
  }

  private static boolean isOld(@Nullable Instant lastUsed, Instant now) {
    return lastUsed == null
        || Duration.between(lastUsed, now).compareTo(Duration.ofMinutes(1)) >= 0;
  }

  /** Returns the owner of the key with this hash; empty if there is no such key, or no owner. */
  Optional<String> owner(String hash) {
    return transactions
        .run(s -> s.one(SELECT + "WHERE k.hash = ?", ApiKeyStore::read, hash))
        .map(ApiKey::owner);
  }

  private static ApiKey read(ResultSet row) throws SQLException {
    String owner = row.getString("owner");
    boolean isUser = owner != null && !owner.startsWith(OIDC_OWNER);
    String ownerRole = row.getString("owner_role");
    Role role = Transactions.role(row);
    if (isUser && ownerRole != null) {
      Role most = Role.of(ownerRole).orElse(Role.VIEWER);
      role = role.compareTo(most) > 0 ? most : role;
    }
    return new ApiKey(
        row.getLong("id"),
        row.getString("name"),
        role,
        row.getString("prefix"),
        Transactions.time(row, "created_at"),
        Transactions.timeOrNull(row, "expires_at"),
        Transactions.timeOrNull(row, "last_used_at"),
        owner,
        isUser && ownerRole == null);
  }
}
