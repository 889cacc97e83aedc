package io.millrace.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of logins and roles.
 *
 * @param session how long a login lasts
 * @param loginAttempts upper limit of the login attempts from one address in a minute
 * @param admin the first user; null for none
 * @param oidc login by OpenID Connect; null for none
 */
public record SecurityConfig(
    boolean enabled,
    Duration session,
    int loginAttempts,
    @Nullable Admin admin,
    @Nullable Oidc oidc) {

  /** The first user, created if there are no users. */
  public record Admin(String user, String password) {
    @Override
    public String toString() {
      return "Admin[user=" + user + ", password=***]";
    }
  }

  /**
   * Login by OpenID Connect.
   *
   * @param redirectBase address of this server as browsers see it
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

  /** The groups that grant each role. */
  public record Roles(List<String> admin, List<String> operator, List<String> viewer) {}
}
