package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/**
 * What everybody is told before a login.
 *
 * @param version of Millrace
 * @param notice shown above every page, for example that this is a demo; null for none
 */
public record PublicServerInfo(String version, @Nullable String notice) {}
