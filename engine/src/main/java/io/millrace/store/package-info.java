/**
 * The storage interfaces of the engine, as small roles. Every implementation passes the same
 * contract suite. A store notifies no other part and runs no threads; times are the database's own.
 */
@NullMarked
package io.millrace.store;

import org.jspecify.annotations.NullMarked;
