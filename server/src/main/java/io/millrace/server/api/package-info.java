/**
 * The resources of the HTTP contract over the engine: what each operation reads, does and answers
 * with. {@link io.millrace.server.api.ApiRoutes} is the table of all of them.
 */
@NullMarked
package io.millrace.server.api;

import org.jspecify.annotations.NullMarked;
