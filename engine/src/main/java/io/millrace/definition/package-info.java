/**
 * Workflow definitions with their states, the values that handlers return, and the context that
 * handlers get. Nothing here executes anything.
 */
@NullMarked
package io.millrace.definition;

import org.jspecify.annotations.NullMarked;
