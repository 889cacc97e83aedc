/**
 * The commands that speak to a running server over its HTTP interface. They show what the web UI
 * shows and do what it does. {@link io.millrace.server.cli.ClientCommands} names them all.
 *
 * <p>A command is a {@link io.millrace.server.cli.ClientCommand}: a description of its arguments,
 * its request and what it prints, which is all that most commands have.
 */
@NullMarked
package io.millrace.server.cli;

import org.jspecify.annotations.NullMarked;
