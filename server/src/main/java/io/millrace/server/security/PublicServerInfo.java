package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/**
 * The information that is available without a login.
 *
 * @param version version of Millrace
 * @param notice shown above every page, for example that this is a demo; null for none
 */
public record PublicServerInfo(String version, @Nullable String notice) {}
