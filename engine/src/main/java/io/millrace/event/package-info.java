/**
 * Events of an engine and their listeners. Listeners observe; they cannot change what the engine
 * does.
 */
@NullMarked
package io.millrace.event;

import org.jspecify.annotations.NullMarked;
