package io.millrace.server.security;

import com.nimbusds.jwt.JWTClaimsSet;
import io.millrace.server.config.SecurityConfig;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a user's groups to a role.
 *
 * @param claim claim of the token that lists the groups; dots denote nested objects
 */
record OidcRoleMapping(String claim, SecurityConfig.Roles groups) {

  /** Returns the highest role; empty if no group grants one. */
  Optional<Role> of(JWTClaimsSet claims) {
    Set<String> own = texts(find(claims.getClaims()));
    return Arrays.stream(Role.values())
        .filter(role -> groups(role).stream().anyMatch(own::contains))
        .max(Comparator.naturalOrder());
  }

  private List<String> groups(Role role) {
    return switch (role) {
      case ADMIN -> groups.admin();
      case OPERATOR -> groups.operator();
      case VIEWER -> groups.viewer();
    };
  }

  private @Nullable Object find(Map<String, Object> claims) {
    if (claims.containsKey(claim)) {
      return claims.get(claim);
    }
    Object found = claims;
    for (String name : claim.split("\\.", -1)) {
      found = found instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return found;
  }

  private static Set<String> texts(@Nullable Object value) {
    return switch (value) {
      case String text -> Set.of(text);
      case Collection<?> many ->
          many.stream()
              .filter(String.class::isInstance)
              .map(String.class::cast)
              .collect(Collectors.toUnmodifiableSet());
      case null, default -> Set.of();
    };
  }
}
