/**
 * Meters and traces for those who watch from outside. Needs Micrometer or the API of OpenTelemetry
 * only where they are used: an application without them never loads the classes that do.
 */
@NullMarked
package io.millrace.observe;

import org.jspecify.annotations.NullMarked;
