package io.millrace.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.server.config.SecurityConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.text.ParseException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** An OpenID provider on this machine that confirms every login. */
final class FakeIssuer implements AutoCloseable {

  static final String CLIENT = "millrace";
  static final String SECRET = "s3cret";
  static final String BASE = "http://127.0.0.1:7500/flows";

  /**
   * Two keys of the same id, from a file, because to generate them takes seconds. They are short,
   * because to sign with longer ones takes most of the time of these tests.
   */
  private static final List<JWK> KEYS = keys();

  private static final RSAKey KEY = KEYS.getFirst().toRSAKey();
  private static final RSAKey OTHER = KEYS.getLast().toRSAKey();

  private final HttpServer server;
  private final Map<String, Code> codes = new ConcurrentHashMap<>();

  /** The paths of the requests. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** The issuer in its metadata, by default its address. */
  volatile String issuer;

  /** The address of the token endpoint in its metadata. */
  volatile String tokens;

  /** The function that signs ID tokens. */
  volatile BiFunction<FakeIssuer, JWTClaimsSet, String> signer = FakeIssuer::signed;

  private record Code(String challenge, JWTClaimsSet claims) {}

  FakeIssuer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    issuer = address();
    tokens = address() + "/token";
    server.createContext("/", this::handle);
    server.start();
  }

  private static List<JWK> keys() {
    try (InputStream in = FakeIssuer.class.getResourceAsStream("issuer-keys.json")) {
      return JWKSet.load(Objects.requireNonNull(in)).getKeys();
    } catch (IOException | ParseException e) {
      throw new IllegalStateException(e);
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  SecurityConfig.Oidc settings() {
    return new SecurityConfig.Oidc(
        URI.create(address()),
        CLIENT,
        SECRET,
        URI.create(BASE + "/"),
        "groups",
        new SecurityConfig.Roles(List.of("sre", "boss"), List.of("ops"), List.of("staff")));
  }

  /** Logs a user in on the page to which a browser was sent, and returns the code. */
  String logIn(URI page, JWTClaimsSet.Builder claims) {
    Map<String, String> query = form(page.getRawQuery());
    String code = "code-" + codes.size();
    codes.put(
        code,
        new Code(
            query.getOrDefault("code_challenge", ""),
            claims.claim("nonce", query.get("nonce")).build()));
    return code;
  }

  JWTClaimsSet.Builder anna(Instant now) {
    return new JWTClaimsSet.Builder()
        .issuer(address())
        .audience(CLIENT)
        .subject("4711")
        .claim("preferred_username", "anna")
        .claim("groups", List.of("staff", "ops"))
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  String signed(JWTClaimsSet claims) {
    return sign(KEY, claims);
  }

  String signedByAnother(JWTClaimsSet claims) {
    return sign(OTHER, claims);
  }

  private static String sign(RSAKey key, JWTClaimsSet claims) {
    try {
      SignedJWT token =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(), claims);
      token.sign(new RSASSASigner(key.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance())));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String unsigned(JWTClaimsSet claims) {
    return new PlainJWT(claims).serialize();
  }

  /**
   * Returns a token that is signed with the public key, which is not secret, as a shared secret.
   */
  String signedWithThePublicKey(JWTClaimsSet claims) {
    try {
      return mac(KEY.toRSAPublicKey().getEncoded(), claims);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String signedWithTheClientSecret(JWTClaimsSet claims) {
    return mac(Arrays.copyOf(SECRET.getBytes(UTF_8), 32), claims);
  }

  private static String mac(byte[] secret, JWTClaimsSet claims) {
    try {
      SignedJWT token =
          new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), claims);
      token.sign(new MACSigner(secret));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String withoutSignature(JWTClaimsSet claims) {
    String token = signed(claims);
    return token.substring(0, token.lastIndexOf('.') + 1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    String body =
        switch (path) {
          case "/.well-known/openid-configuration" -> description();
          case "/keys" -> new JWKSet(KEY.toPublicJWK()).toString();
          case "/token" -> token(exchange);
          default -> "";
        };
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    boolean refused = body.isEmpty() || body.startsWith("{\"error\"");
    exchange.sendResponseHeaders(refused ? 400 : 200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String description() {
    return """
    {"issuer": "%s", "authorization_endpoint": "%s/authorize", "token_endpoint": "%s",
     "jwks_uri": "%s/keys", "subject_types_supported": ["public"],
     "response_types_supported": ["code"],
     "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"]}
    """
        .formatted(issuer, address(), tokens, address());
  }

  /**
   * Returns the response to a code, which is valid once. It checks the client's secret and the code
   * verifier, as the standard requires.
   */
  private String token(HttpExchange exchange) throws IOException {
    String basic =
        "Basic " + Base64.getEncoder().encodeToString((CLIENT + ":" + SECRET).getBytes(UTF_8));
    Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    Code code = codes.remove(form.getOrDefault("code", ""));
    boolean good =
        code != null
            && basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))
            && (BASE + "/api/v1/session/oidc/callback").equals(form.get("redirect_uri"))
            && code.challenge()
                .equals(SecureTokens.base64OfHash(form.getOrDefault("code_verifier", "")));
    return good
        ? "{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"id_token\": \""
            + signer.apply(this, code.claims())
            + "\"}"
        : "{\"error\": \"invalid_grant\"}";
  }

  static Map<String, String> form(String text) {
    return Arrays.stream(text.split("&", -1))
        .map(pair -> pair.split("=", 2))
        .collect(
            Collectors.toMap(
                pair -> URLDecoder.decode(pair[0], UTF_8),
                pair -> URLDecoder.decode(pair[1], UTF_8)));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
