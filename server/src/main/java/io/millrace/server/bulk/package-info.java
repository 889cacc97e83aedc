/**
 * One action on all instances that a filter matches, as a workflow of its own: it survives crashes,
 * shows its progress, and has history and logs like any other instance.
 */
@NullMarked
package io.millrace.server.bulk;

import org.jspecify.annotations.NullMarked;
