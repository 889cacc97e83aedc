/**
 * The server as a whole: what the program starts, in which order, and how it ends. Its parts are
 * the packages below.
 */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
