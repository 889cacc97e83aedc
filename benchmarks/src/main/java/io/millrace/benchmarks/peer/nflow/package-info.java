/** nFlow, an engine of durable state machines. */
@NullMarked
package io.millrace.benchmarks.peer.nflow;

import org.jspecify.annotations.NullMarked;
