/**
 * Quartz on its clustered JDBC job store: a trigger for each step, which schedules the next one.
 */
@NullMarked
package io.millrace.benchmarks.peer.quartz;

import org.jspecify.annotations.NullMarked;
