/**
 * What may run: workflow definitions with their states, the values a handler answers with, and the
 * context a handler is given. Nothing here executes anything.
 */
@NullMarked
package io.millrace.definition;

import org.jspecify.annotations.NullMarked;
