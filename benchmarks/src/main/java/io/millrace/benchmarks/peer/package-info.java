/**
 * What an engine must offer to be measured, and the list of those that do. Each engine has a
 * package of its own below this one, with one public class.
 */
@NullMarked
package io.millrace.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
