/** The private PostgreSQL server of a run and its databases. */
@NullMarked
package io.millrace.benchmarks.postgres;

import org.jspecify.annotations.NullMarked;
