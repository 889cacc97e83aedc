/**
 * Meters and traces for monitoring. Micrometer or the API of OpenTelemetry are needed only where
 * they are used: an application without them never loads the classes that use them.
 */
@NullMarked
package io.millrace.observe;

import org.jspecify.annotations.NullMarked;
