/**
 * The store in a SQL database: PostgreSQL, or H2 for one process. {@link
 * io.millrace.store.sql.SqlStore} is the entry point. The SQL of each role is in the class of that
 * role, and asks the {@code Dialect} where the databases differ. Classes named after a database
 * belong to its dialect; beside it, only {@code PooledConnections} uses one, to end sessions.
 */
@NullMarked
package io.millrace.store.sql;

import org.jspecify.annotations.NullMarked;
