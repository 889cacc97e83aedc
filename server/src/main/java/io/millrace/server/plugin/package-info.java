/**
 * Workflows from jars: each jar in the folder has a class loader of its own, and one that cannot be
 * used keeps nothing else from starting.
 */
@NullMarked
package io.millrace.server.plugin;

import org.jspecify.annotations.NullMarked;
