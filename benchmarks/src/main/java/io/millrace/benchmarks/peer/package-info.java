/**
 * The interface that an engine implements to be measured, and the list of engines. Each engine has
 * a package of its own below this one, with one public class.
 */
@NullMarked
package io.millrace.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
