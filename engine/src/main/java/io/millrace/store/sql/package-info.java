/**
 * The store in a SQL database: PostgreSQL, or H2 for one process. {@link
 * io.millrace.store.sql.SqlStore} is the entry; only a {@code Dialect} knows the database, and the
 * SQL of each role stands in the class of that role.
 */
@NullMarked
package io.millrace.store.sql;

import org.jspecify.annotations.NullMarked;
