/**
 * Workflows from jars. Each jar in the folder has its own class loader, and a jar that cannot be
 * used does not prevent anything else from starting.
 */
@NullMarked
package io.millrace.server.plugin;

import org.jspecify.annotations.NullMarked;
