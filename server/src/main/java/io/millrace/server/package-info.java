/**
 * The server as a whole: the parts that the program starts, their order, and their end. The parts
 * themselves are in the packages below.
 */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
