package io.millrace.server.security;

import com.nimbusds.jwt.JWTClaimsSet;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.SecurityConfig.Oidc;
import io.millrace.server.security.CallerIdentity.AuthMethod;
import io.millrace.server.security.OidcClient.InvalidIdTokenException;
import io.millrace.server.security.OidcLoginStore.PendingLogin;
import io.millrace.server.security.SecurityRoute.Request;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of logins by OpenID Connect: code flow with PKCE, state and nonce. */
final class OidcRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(OidcRoutes.class);

  private static final String CALLBACK = "/session/oidc/callback";

  /**
   * A path of this server. It contains no host, and a browser does not read any part of it as one.
   */
  private static final Pattern OWN_PATH = Pattern.compile("/(?:[!-.0-\\[\\]-~][!-\\[\\]-~]*)?");

  private static final Pattern ERROR = Pattern.compile("[A-Za-z0-9_.-]{1,60}");
  private static final int MAX_NAME = 90;

  private final AuthServices authServices;
  private final Oidc settings;
  private final OidcClient issuer;
  private final OidcLoginStore logins;
  private final OidcRoleMapping roles;
  private final RateLimitedLogger limited;

  OidcRoutes(
      AuthServices authServices,
      Oidc settings,
      OidcClient issuer,
      OidcLoginStore logins,
      EngineClock clock) {
    this.authServices = authServices;
    this.settings = settings;
    this.issuer = issuer;
    this.logins = logins;
    this.limited = new RateLimitedLogger(LOG, clock);
    this.roles = new OidcRoleMapping(settings.groupsClaim(), settings.roles());
  }

  /** Returns the address to which the issuer redirects browsers. */
  static URI callback(Oidc settings) {
    return URI.create(base(settings) + "/api/v1" + CALLBACK);
  }

  private static String base(Oidc settings) {
    String base = settings.redirectBase().toString();
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }

  List<SecurityRoute> routes() {
    return routes(readable(this::begin), readable(this::finish));
  }

  /**
   * Wraps a handler so that browsers get errors as a page, since they are redirected to these two
   * addresses.
   */
  private SecurityRoute.Handler readable(SecurityRoute.Handler handler) {
    return request -> {
      try {
        return handler.answer(request);
      } catch (RejectedRequestException e) {
        String accepted = request.request().header("Accept");
        if (accepted == null || !accepted.contains("text/html")) {
          throw e;
        }
        return RejectionPage.of(e, base(settings) + "/");
      }
    };
  }

  /** Returns the routes of a server without an issuer. */
  static List<SecurityRoute> none() {
    SecurityRoute.Handler absent =
        request -> {
          throw RejectedRequestException.notFound("This server has no login at an issuer.");
        };
    return routes(absent, absent);
  }

  private static List<SecurityRoute> routes(
      SecurityRoute.Handler begin, SecurityRoute.Handler finish) {
    return List.of(
        new SecurityRoute("logInWithOidc", "GET", "/session/oidc", Permission.PUBLIC, begin),
        new SecurityRoute("finishOidc", "GET", CALLBACK, Permission.PUBLIC, finish));
  }

  private SecurityResponse begin(Request request) {
    authServices.limits().admitOidcLogin(authServices.address(request.request()));
    PendingLogin pendingLogin = PendingLogin.to(ownPath(request.query().apply("to")));
    try {
      String page = issuer.loginPage(pendingLogin).toString();
      logins.save(pendingLogin);
      return SecurityResponse.redirect(page)
          .with(
              authServices
                  .cookies()
                  .set(SessionCookies.OIDC, pendingLogin.browser(), OidcLoginStore.LIFETIME));
    } catch (IOException e) {
      throw away(e);
    }
  }

  private SecurityResponse finish(Request request) {
    String error = request.query().apply("error");
    if (error != null) {
      throw refused(
          request, ERROR.matcher(error).matches() ? "it says " + error : "it gave an error");
    }
    PendingLogin pendingLogin = begun(request);
    try {
      String code = request.query().apply("code");
      if (code == null || code.isBlank()) {
        throw refused(request, "it gave no code");
      }
      return welcome(request, pendingLogin, issuer.redeem(code, pendingLogin));
    } catch (InvalidIdTokenException e) {
      limited.warn("refused", "A login at the issuer was refused: " + e.getMessage());
      throw refused(request, "its answer was not good; the server's log tells why");
    } catch (IOException e) {
      throw away(e);
    }
  }

  private PendingLogin begun(Request request) {
    String state = request.query().apply("state");
    String browser = request.request().cookie(SessionCookies.OIDC);
    String from = request.query().apply("iss");
    if (state == null
        || browser == null
        || (from != null && !from.equals(settings.issuer().toString()))) {
      throw refused(request, "this browser did not begin it here");
    }
    return logins
        .take(state, browser)
        .orElseThrow(
            () -> refused(request, "it was too late, was used before, or began elsewhere"));
  }

  private SecurityResponse welcome(
      Request request, PendingLogin pendingLogin, JWTClaimsSet claims) {
    String name = name(claims);
    Role role =
        roles
            .of(claims)
            .orElseThrow(() -> {
              noteFailure(request, name, "no group of the user has a role");
              return RejectedRequestException.unauthorized(
                  "The identity provider knows "
                      + name
                      + ", but none of the user's groups may use this server. Ask for a group"
                      + " that may, or ask an admin to set security.oidc.roles.");
            });
    authServices.endSession(request.request());
    String token = authServices.sessions().create(name, role, AuthMethod.OIDC);
    authServices
        .audit()
        .append(
            name,
            "login",
            null,
            "subject "
                + claims.getSubject()
                + " as "
                + role.text()
                + " from "
                + authServices.address(request.request()));
    return SecurityResponse.redirect(base(settings) + pendingLogin.returnTo())
        .with(
            authServices.sessionCookie(token), authServices.cookies().remove(SessionCookies.OIDC));
  }

  /**
   * Returns the name of the user, with a prefix that no user with a password on this server can
   * have.
   */
  private static String name(JWTClaimsSet claims) {
    for (String claim : List.of("preferred_username", "email", "sub")) {
      if (claims.getClaim(claim) instanceof String name && !name.isBlank()) {
        String clean = name.replaceAll("\\p{C}", "").strip();
        return "oidc:" + (clean.length() > MAX_NAME ? clean.substring(0, MAX_NAME) : clean);
      }
    }
    return "oidc:unknown";
  }

  private RejectedRequestException refused(Request request, String why) {
    noteFailure(request, null, why);
    return RejectedRequestException.unauthorized(
        "The login at the identity provider did not succeed: " + why + ". Begin it again.");
  }

  private void noteFailure(Request request, @Nullable String name, String why) {
    if (authServices.limits().isNoted()) {
      authServices
          .audit()
          .append(
              CallerIdentity.ANONYMOUS.actor(),
              "loginFailed",
              name,
              "at the issuer: " + why + ", from " + authServices.address(request.request()));
    }
  }

  private RejectedRequestException away(IOException e) {
    limited.warn("away", "The issuer was not reached: " + e);
    return RejectedRequestException.unavailable(
        "The identity provider does not answer as it should; the server's log tells more. Log in"
            + " with a password, or try again later.",
        e);
  }

  private static String ownPath(@Nullable String to) {
    return to != null && OWN_PATH.matcher(to).matches() ? to : "/";
  }
}
