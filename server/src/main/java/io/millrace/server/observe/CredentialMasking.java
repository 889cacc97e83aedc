package io.millrace.server.observe;

import java.util.regex.Pattern;

/**
 * The masking of texts that look like credentials in log lines before they are stored, in addition
 * to the secrets that the attempt has used. It cannot find all of them: a handler must not log its
 * secrets.
 */
final class CredentialMasking {

  private static final String NAME =
      "(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|client[-_]?secret)";

  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)(\\b[\\w.-]{0,40}?" + NAME + "[\"']?\\s{0,3}[=:]\\s{0,3}[\"']?)[^\\s\"',;&)}\\]]+");

  private static final Pattern HEADER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9+/._~=-]{8,}");

  private static final Pattern IN_URL = Pattern.compile("(://[^/\\s:@]{1,100}:)[^/\\s@]+(?=@)");

  private CredentialMasking() {}

  static String mask(String line) {
    String masked = NAMED.matcher(line).replaceAll("$1***");
    masked = HEADER.matcher(masked).replaceAll("$1 ***");
    return IN_URL.matcher(masked).replaceAll("$1***");
  }
}
