/** db-scheduler, a job scheduler that keeps one table and deletes what is done. */
@NullMarked
package io.millrace.benchmarks.peer.dbscheduler;

import org.jspecify.annotations.NullMarked;
