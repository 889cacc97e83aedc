/**
 * The store in a SQL database: PostgreSQL, or H2 for one process. {@link
 * io.millrace.store.sql.SqlStore} is the entry point. Only a {@code Dialect} knows the database;
 * the SQL of each role is in the class of that role.
 */
@NullMarked
package io.millrace.store.sql;

import org.jspecify.annotations.NullMarked;
