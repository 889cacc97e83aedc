package io.millrace.server.security;

import com.nimbusds.jwt.JWTClaimsSet;
import io.millrace.server.config.Security.Oidc;
import io.millrace.server.security.Caller.Means;
import io.millrace.server.security.OidcIssuer.NotVouchedException;
import io.millrace.server.security.OidcLogins.Begun;
import io.millrace.server.security.SecurityRoute.Call;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Login at an issuer by OpenID Connect: code flow with PKCE, state and nonce. */
final class OidcRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(OidcRoutes.class);

  private static final String CALLBACK = "/session/oidc/callback";

  /** A path of this server: it names no host, and nothing in it is read as one by a browser. */
  private static final Pattern OWN_PATH = Pattern.compile("/(?:[!-.0-\\[\\]-~][!-\\[\\]-~]*)?");

  private static final Pattern ERROR = Pattern.compile("[A-Za-z0-9_.-]{1,60}");
  private static final int LONGEST_NAME = 90;

  private final Desk desk;
  private final Oidc settings;
  private final OidcIssuer issuer;
  private final OidcLogins logins;
  private final OidcRoles roles;

  OidcRoutes(Desk desk, Oidc settings, OidcIssuer issuer, OidcLogins logins) {
    this.desk = desk;
    this.settings = settings;
    this.issuer = issuer;
    this.logins = logins;
    this.roles = new OidcRoles(settings.groupsClaim(), settings.roles());
  }

  /** Where the issuer sends browsers back to. */
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

  /** Browsers are led to these two addresses: who sits before one gets a page to read. */
  private SecurityRoute.Handler readable(SecurityRoute.Handler handler) {
    return call -> {
      try {
        return handler.answer(call);
      } catch (Refusal e) {
        String accepted = call.request().header("Accept");
        if (accepted == null || !accepted.contains("text/html")) {
          throw e;
        }
        return RefusalPage.of(e, base(settings) + "/");
      }
    };
  }

  /** The routes of a server without an issuer. */
  static List<SecurityRoute> none() {
    SecurityRoute.Handler absent =
        call -> {
          throw Refusal.notFound("This server has no login at an issuer.");
        };
    return routes(absent, absent);
  }

  private static List<SecurityRoute> routes(
      SecurityRoute.Handler begin, SecurityRoute.Handler finish) {
    return List.of(
        new SecurityRoute("logInWithOidc", "GET", "/session/oidc", Permission.PUBLIC, begin),
        new SecurityRoute("finishOidc", "GET", CALLBACK, Permission.PUBLIC, finish));
  }

  private Reply begin(Call call) {
    desk.limits().admitBegin(desk.address(call.request()));
    Begun begun = Begun.to(ownPath(call.query().apply("to")));
    try {
      String page = issuer.loginPage(begun).toString();
      logins.keep(begun);
      return Reply.redirect(page)
          .with(desk.cookies().set(SessionCookies.OIDC, begun.browser(), OidcLogins.LIFETIME));
    } catch (IOException e) {
      throw away(e);
    }
  }

  private Reply finish(Call call) {
    String error = call.query().apply("error");
    if (error != null) {
      throw refused(call, ERROR.matcher(error).matches() ? "it says " + error : "it gave an error");
    }
    Begun begun = begun(call);
    try {
      String code = call.query().apply("code");
      if (code == null || code.isBlank()) {
        throw refused(call, "it gave no code");
      }
      return welcome(call, begun, issuer.redeem(code, begun));
    } catch (NotVouchedException e) {
      LOG.warn("A login at the issuer was refused: {}", e.getMessage());
      throw refused(call, "its answer was not good; the server's log tells why");
    } catch (IOException e) {
      throw away(e);
    }
  }

  private Begun begun(Call call) {
    String state = call.query().apply("state");
    String browser = call.request().cookie(SessionCookies.OIDC);
    String from = call.query().apply("iss");
    if (state == null
        || browser == null
        || (from != null && !from.equals(settings.issuer().toString()))) {
      throw refused(call, "this browser did not begin it here");
    }
    return logins
        .take(state, browser)
        .orElseThrow(() -> refused(call, "it was too late, was used before, or began elsewhere"));
  }

  private Reply welcome(Call call, Begun begun, JWTClaimsSet claims) {
    String name = name(claims);
    Role role =
        roles
            .of(claims)
            .orElseThrow(() -> {
              noteFailure(call, name, "no group of the user has a role");
              return Refusal.unauthorized(
                  "The identity provider knows "
                      + name
                      + ", but none of the user's groups may use this server. Ask for a group"
                      + " that may, or ask an admin to set security.oidc.roles.");
            });
    desk.endSession(call.request());
    String token = desk.sessions().begin(name, role, Means.OIDC);
    desk.audit()
        .append(
            name,
            "login",
            null,
            "subject "
                + claims.getSubject()
                + " as "
                + role.text()
                + " from "
                + desk.address(call.request()));
    return Reply.redirect(base(settings) + begun.returnTo())
        .with(desk.sessionCookie(token), desk.cookies().remove(SessionCookies.OIDC));
  }

  /** With a mark that no user with a password here has in the name. */
  private static String name(JWTClaimsSet claims) {
    for (String claim : List.of("preferred_username", "email", "sub")) {
      if (claims.getClaim(claim) instanceof String name && !name.isBlank()) {
        String clean = name.replaceAll("\\p{C}", "").strip();
        return "oidc:" + (clean.length() > LONGEST_NAME ? clean.substring(0, LONGEST_NAME) : clean);
      }
    }
    return "oidc:unknown";
  }

  private Refusal refused(Call call, String why) {
    noteFailure(call, null, why);
    return Refusal.unauthorized(
        "The login at the identity provider did not succeed: " + why + ". Begin it again.");
  }

  private void noteFailure(Call call, @Nullable String name, String why) {
    if (desk.limits().isNoted()) {
      desk.audit()
          .append(
              Caller.NOBODY.actor(),
              "loginFailed",
              name,
              "at the issuer: " + why + ", from " + desk.address(call.request()));
    }
  }

  private static Refusal away(IOException e) {
    LOG.warn("The issuer was not reached: {}", e.toString());
    return Refusal.unavailable(
        "The identity provider does not answer as it should; the server's log tells more. Log in"
            + " with a password, or try again later.",
        e);
  }

  private static String ownPath(@Nullable String to) {
    return to != null && OWN_PATH.matcher(to).matches() ? to : "/";
  }
}
