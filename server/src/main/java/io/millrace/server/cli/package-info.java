/**
 * The commands that speak to a running server over its HTTP interface. They show what the web UI
 * shows and do what it does. {@link io.millrace.server.cli.ClientCommands} names them all.
 */
@NullMarked
package io.millrace.server.cli;

import org.jspecify.annotations.NullMarked;
