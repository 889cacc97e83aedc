/**
 * HTTP itself: the server, the table of routes, how requests are read and answered, limits, errors
 * as problem+json, and the files of the web UI. Knows nothing of workflows.
 */
@NullMarked
package io.millrace.server.http;

import org.jspecify.annotations.NullMarked;
