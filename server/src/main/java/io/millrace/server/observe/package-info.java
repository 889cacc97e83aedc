/**
 * The observability of the server: metrics for Prometheus, the log lines of handlers, and alerts to
 * webhooks and mail.
 */
@NullMarked
package io.millrace.server.observe;

import org.jspecify.annotations.NullMarked;
