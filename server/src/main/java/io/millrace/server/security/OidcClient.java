package io.millrace.server.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.SecurityConfig.Oidc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client of the OpenID issuer: the login page, the exchange of a code for a user, and the keys of
 * signatures.
 */
final class OidcClient {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration KNOWN_FOR = Duration.ofHours(1);
  private static final int SKEW_SECONDS = 60;
  private static final long KEYS_MILLIS = Duration.ofMinutes(15).toMillis();
  private static final long OUTAGE_MILLIS = Duration.ofHours(12).toMillis();

  /**
   * The algorithms of asymmetric signatures. A verifier's key cannot create such signatures, so
   * neither unsigned tokens nor shared secrets are accepted.
   */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final Set<String> REQUIRED = Set.of("iss", "aud", "sub", "exp", "iat", "nonce");

  private final Oidc settings;
  private final URI callback;
  private final EngineClock clock;
  private final OutboundClient urls;
  private @Nullable Discovered discovered;
  private @Nullable Outage outage;

  OidcClient(Oidc settings, URI callback, EngineClock clock) {
    if (!isEncrypted(settings.issuer())) {
      throw new MillraceException(
          "security.oidc.issuer = "
              + settings.issuer()
              + " is not https, which login at an issuer needs.");
    }
    this.settings = settings;
    this.callback = callback;
    this.clock = clock;
    this.urls = OutboundClient.allowing(Set.of(settings.issuer().getHost()), clock);
  }

  /** The rejection of an invalid ID token, or of a code that the issuer does not accept. */
  static final class InvalidIdTokenException extends Exception {
    private InvalidIdTokenException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The metadata that the issuer publishes.
   *
   * @param until expiry on the monotonic clock
   */
  private record Discovered(
      OIDCProviderMetadata metadata, JWKSource<SecurityContext> keys, long until) {}

  /**
   * A failure of the issuer, kept for a while so that waiting logins do not all wait for it in
   * turn.
   */
  private record Outage(IOException failure, long until) {}

  /** Returns the address of the issuer's login page. */
  URI loginPage(OidcLoginStore.PendingLogin pendingLogin) throws IOException {
    return new AuthenticationRequest.Builder(
            ResponseType.CODE,
            new Scope("openid", "profile", "email"),
            new ClientID(settings.clientId()),
            callback)
        .endpointURI(discover().metadata().getAuthorizationEndpointURI())
        .state(new State(pendingLogin.state()))
        .nonce(new Nonce(pendingLogin.nonce()))
        .codeChallenge(new CodeVerifier(pendingLogin.verifier()), CodeChallengeMethod.S256)
        .build()
        .toURI();
  }

  /** Exchanges a code for a valid ID token, and returns its claims about the user. */
  JWTClaimsSet redeem(String code, OidcLoginStore.PendingLogin pendingLogin)
      throws IOException, InvalidIdTokenException {
    Discovered issuer = discover();
    TokenRequest request =
        new TokenRequest.Builder(
                issuer.metadata().getTokenEndpointURI(),
                authentication(issuer.metadata()),
                new AuthorizationCodeGrant(
                    new AuthorizationCode(code),
                    callback,
                    new CodeVerifier(pendingLogin.verifier())))
            .build();
    try {
      HTTPResponse response = request.toHTTPRequest().send(this::send);
      TokenResponse tokens = OIDCTokenResponseParser.parse(response);
      if (!(tokens instanceof OIDCTokenResponse good)
          || good.getOIDCTokens().getIDToken() == null) {
        throw new InvalidIdTokenException("The issuer gave no ID token for the code.", null);
      }
      return verify(good.getOIDCTokens().getIDToken(), pendingLogin.nonce(), issuer.keys());
    } catch (ParseException e) {
      throw new InvalidIdTokenException("The issuer's answer was not understood.", e);
    }
  }

  private JWTClaimsSet verify(JWT token, String nonce, JWKSource<SecurityContext> keys)
      throws InvalidIdTokenException {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
    processor.setJWTClaimsSetVerifier(
        new Claims(settings.issuer().toString(), settings.clientId(), nonce, clock));
    try {
      return processor.process(token, null);
    } catch (BadJOSEException | JOSEException e) {
      throw new InvalidIdTokenException("The ID token is not good: " + e.getMessage() + ".", e);
    }
  }

  /** The checks of OpenID Connect Core 3.1.3.7, with the clock of this server. */
  private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {

    private final String clientId;
    private final InstantSource clock;

    Claims(String issuer, String clientId, String nonce, InstantSource clock) {
      super(
          clientId,
          new JWTClaimsSet.Builder().issuer(issuer).claim("nonce", nonce).build(),
          REQUIRED);
      this.clientId = clientId;
      this.clock = clock;
      setMaxClockSkew(SKEW_SECONDS);
    }

    @Override
    protected Date currentTime() {
      return Date.from(clock.instant());
    }

    @Override
    public void verify(JWTClaimsSet claims, @Nullable SecurityContext context)
        throws BadJWTException {
      super.verify(claims, context);
      Object party = claims.getClaim("azp");
      if (party == null ? claims.getAudience().size() > 1 : !party.equals(clientId)) {
        throw new BadJWTException("The token was made for another party");
      }
      if (claims.getIssueTime().toInstant().isAfter(clock.instant().plusSeconds(SKEW_SECONDS))) {
        throw new BadJWTException("The token is of a later time");
      }
    }
  }

  private ClientAuthentication authentication(OIDCProviderMetadata metadata) {
    ClientID id = new ClientID(settings.clientId());
    Secret secret = new Secret(settings.clientSecret());
    List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
    boolean onlyPost =
        methods != null
            && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST)
            && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    return onlyPost ? new ClientSecretPost(id, secret) : new ClientSecretBasic(id, secret);
  }

  private synchronized Discovered discover() throws IOException {
    Discovered known = discovered;
    if (known != null && clock.nanoTime() < known.until()) {
      return known;
    }
    Outage before = outage;
    if (before != null && clock.nanoTime() < before.until()) {
      throw before.failure();
    }
    try {
      OIDCProviderMetadata metadata = askAboutItself();
      Discovered fresh =
          new Discovered(metadata, keys(metadata), clock.nanoTime() + KNOWN_FOR.toNanos());
      discovered = fresh;
      return fresh;
    } catch (IOException e) {
      outage = new Outage(e, clock.nanoTime() + PATIENCE.toNanos());
      throw e;
    }
  }

  private OIDCProviderMetadata askAboutItself() throws IOException {
    String issuer = settings.issuer().toString();
    String path = issuer.endsWith("/") ? issuer : issuer + "/";
    OutboundClient.Response response = get(URI.create(path + ".well-known/openid-configuration"));
    OIDCProviderMetadata metadata;
    try {
      metadata = OIDCProviderMetadata.parse(response.body());
    } catch (ParseException e) {
      throw new IOException("The issuer's description of itself is not understood", e);
    }
    if (!issuer.equals(metadata.getIssuer().getValue())) {
      throw new IOException(
          "security.oidc.issuer = "
              + issuer
              + " calls itself "
              + metadata.getIssuer().getValue()
              + "; both must be the same to the last character");
    }
    for (URI uri :
        Arrays.asList(
            metadata.getAuthorizationEndpointURI(),
            metadata.getTokenEndpointURI(),
            metadata.getJWKSetURI())) {
      if (uri == null || !isEncrypted(uri)) {
        throw new IOException(
            "The issuer describes itself without an address of its login page, its tokens or its"
                + " keys, or one is not https: "
                + uri);
      }
    }
    return metadata;
  }

  private JWKSource<SecurityContext> keys(OIDCProviderMetadata metadata) throws IOException {
    return JWKSourceBuilder.<SecurityContext>create(
            metadata.getJWKSetURI().toURL(),
            url -> new Resource(get(URI.create(url.toString())).body(), "application/json"))
        .cache(KEYS_MILLIS, PATIENCE.toMillis())
        // Otherwise it creates its own threads.
        .refreshAheadCache(false)
        .outageTolerant(OUTAGE_MILLIS)
        .build();
  }

  private OutboundClient.Response get(URI url) throws IOException {
    OutboundClient.Response response =
        urls.send(
            new OutboundClient.Request(
                "GET", url, Map.of("Accept", "application/json"), "", PATIENCE));
    if (response.status() != 200) {
      throw new IOException(url.getPath() + " of the issuer answered " + response.status());
    }
    return response;
  }

  private HTTPResponse send(ReadOnlyHTTPRequest request) throws IOException {
    Map<String, String> headers = new HashMap<>();
    request.getHeaderMap().forEach((name, values) -> headers.put(name, String.join(", ", values)));
    String body = request.getBody();
    OutboundClient.Response response =
        urls.send(
            new OutboundClient.Request(
                request.getMethod().name(),
                request.getURI(),
                headers,
                body == null ? "" : body,
                PATIENCE));
    HTTPResponse result = new HTTPResponse(response.status());
    response.headers().forEach(result::setHeader);
    result.setBody(response.body());
    return result;
  }

  /**
   * True if codes and tokens are protected on the way: plain http is allowed only on this machine.
   */
  private static boolean isEncrypted(URI uri) {
    return "https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && isLoopback(uri));
  }

  private static boolean isLoopback(URI uri) {
    try {
      return InetAddress.getByName(uri.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
