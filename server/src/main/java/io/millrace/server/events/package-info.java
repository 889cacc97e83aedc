/**
 * Tells those who watch what has changed. Each node writes what changed on it into the journal in
 * the database, a few times a second at most; each node with watchers reads the journal and hands
 * the news to all of them.
 */
@NullMarked
package io.millrace.server.events;

import org.jspecify.annotations.NullMarked;
