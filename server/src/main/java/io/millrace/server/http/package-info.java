/**
 * The HTTP layer: the server, the table of routes, the reading of requests and writing of
 * responses, limits, errors as problem+json, and the files of the web UI. It does not depend on
 * workflows.
 */
@NullMarked
package io.millrace.server.http;

import org.jspecify.annotations.NullMarked;
