/**
 * The notification of clients about changes. Each node writes its changes into the journal in the
 * database, at most a few times a second. Each node with open streams reads the journal and sends
 * the changes to all of them.
 */
@NullMarked
package io.millrace.server.events;

import org.jspecify.annotations.NullMarked;
