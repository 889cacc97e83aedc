package io.millrace.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what.
 *
 * @param session how long a login lasts
 * @param loginAttempts tries to log in from one address in a minute
 * @param admin the first user; null for nobody
 * @param oidc login at an issuer; null for none
 */
public record SecurityConfig(
    boolean enabled,
    Duration session,
    int loginAttempts,
    @Nullable Admin admin,
    @Nullable Oidc oidc) {

  /** The first user, made where there is none. */
  public record Admin(String user, String password) {
    @Override
    public String toString() {
      return "Admin[user=" + user + ", password=***]";
    }
  }

  /**
   * Login by OpenID Connect.
   *
   * @param redirectBase this server as browsers see it
   * @param groupsClaim the claim that lists a user's groups
   */
  public record Oidc(
      URI issuer,
      String clientId,
      String clientSecret,
      URI redirectBase,
      String groupsClaim,
      Roles roles) {
    @Override
    public String toString() {
      return "Oidc[issuer=" + issuer + ", clientId=" + clientId + ", clientSecret=***]";
    }
  }

  /** The groups that stand for each role. */
  public record Roles(List<String> admin, List<String> operator, List<String> viewer) {}
}
