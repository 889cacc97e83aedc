/**
 * The services of the engine to its features, such as task sequences and continuous workflows, and
 * what a feature is to the engine: an extension that an application adds, and the parts that run.
 * Features know the executors and the registry of definitions only through this package.
 */
@NullMarked
package io.millrace.extension;

import org.jspecify.annotations.NullMarked;
