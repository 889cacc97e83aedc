/**
 * What the engine needs from a database, as small roles. Every implementation passes the same
 * contract suite. A store never wakes anyone and runs no threads; times are the database's own.
 */
@NullMarked
package io.millrace.store;

import org.jspecify.annotations.NullMarked;
