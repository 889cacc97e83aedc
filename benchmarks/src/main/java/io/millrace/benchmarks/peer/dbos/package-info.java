/** DBOS Transact: a workflow with as many steps as the work has, dequeued by polling. */
@NullMarked
package io.millrace.benchmarks.peer.dbos;

import org.jspecify.annotations.NullMarked;
