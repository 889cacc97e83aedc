/**
 * Who calls, and what they may do: users, API keys, login sessions, login at an issuer (OpenID
 * Connect), roles, the headers of every answer, and the guard on addresses that the server itself
 * calls. Knows no HTTP library: {@link io.millrace.server.security.RequestInfo} comes in and {@link
 * io.millrace.server.security.SecurityResponse} or {@link
 * io.millrace.server.security.RejectedRequestException} goes out.
 */
@NullMarked
package io.millrace.server.security;

import org.jspecify.annotations.NullMarked;
