/**
 * The authentication and authorization of callers: users, API keys, login sessions, login at an
 * issuer (OpenID Connect), roles, the headers of every response, and the check of addresses that
 * the server itself calls. It does not depend on an HTTP library: {@link
 * io.millrace.server.security.RequestInfo} is the input, and {@link
 * io.millrace.server.security.SecurityResponse} or {@link
 * io.millrace.server.security.RejectedRequestException} is the result.
 */
@NullMarked
package io.millrace.server.security;

import org.jspecify.annotations.NullMarked;
