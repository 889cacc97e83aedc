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
final class ApiKeys {

  /** Tells people, and programs that look for leaked secrets, what it is. */
  static final String PREFIX = "mr_";

  private static final int SHOWN = 10;
  private static final String COLUMNS = "id, name, role, prefix, created, expires, last_used";

  private final Db db;
  private final InstantSource clock;

  ApiKeys(Db db, InstantSource clock) {
    this.db = db;
    this.clock = clock;
  }

  /** A key, without its secret. */
  record ApiKey(
      long id,
      String name,
      Role role,
      String prefix,
      Instant created,
      @Nullable Instant expires,
      @Nullable Instant lastUsed) {

    boolean isValidAt(Instant now) {
      return expires == null || now.isBefore(expires);
    }
  }

  /** A new key, and the only time that it can be seen. */
  record Made(ApiKey key, String secret) {}

  List<ApiKey> list() {
    return db.run(
        s -> s.list("SELECT " + COLUMNS + " FROM millrace_api_key ORDER BY id", ApiKeys::read));
  }

  Made add(String name, Role role, @Nullable Integer days) {
    String secret = PREFIX + Tokens.random();
    String prefix = secret.substring(0, SHOWN);
    Instant now = clock.instant();
    Instant expires = days == null ? null : now.plus(Duration.ofDays(days));
    long id =
        db.run(s ->
            s.insert(
                """
                INSERT INTO millrace_api_key (name, role, prefix, hash, created, expires)
                VALUES (?, ?, ?, ?, ?, CAST(? AS timestamp(6) with time zone))
                """,
                name,
                role,
                prefix,
                Tokens.hash(secret),
                now,
                expires));
    return new Made(new ApiKey(id, name, role, prefix, now, expires, null), secret);
  }

  /** The key's name; empty when there is none. */
  Optional<String> remove(long id) {
    return db.run(s -> {
      Optional<String> name =
          s.one("SELECT name FROM millrace_api_key WHERE id = ?", row -> row.getString(1), id);
      s.change("DELETE FROM millrace_api_key WHERE id = ?", id);
      return name;
    });
  }

  /** Finds a valid key and notes its use, once a minute at most. */
  Optional<ApiKey> use(String hash) {
    Instant now = clock.instant();
    return db.run(s -> {
      Optional<ApiKey> found =
          s.one("SELECT " + COLUMNS + " FROM millrace_api_key WHERE hash = ?", ApiKeys::read, hash)
              .filter(key -> key.isValidAt(now));
      if (found.isPresent() && isOld(found.get().lastUsed(), now)) {
        s.change("UPDATE millrace_api_key SET last_used = ? WHERE id = ?", now, found.get().id());
      }
      return found;
    });
  }

  private static boolean isOld(@Nullable Instant lastUsed, Instant now) {
    return lastUsed == null
        || Duration.between(lastUsed, now).compareTo(Duration.ofMinutes(1)) >= 0;
  }

  private static ApiKey read(ResultSet row) throws SQLException {
    return new ApiKey(
        row.getLong("id"),
        row.getString("name"),
        Db.role(row),
        row.getString("prefix"),
        Db.time(row, "created"),
        Db.timeOrNull(row, "expires"),
        Db.timeOrNull(row, "last_used"));
  }
}
