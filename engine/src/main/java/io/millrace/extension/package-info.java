/**
 * The services of the engine to its features: task sequences, continuous workflows and rollouts.
 * They know the executors and the registry of definitions only through this package.
 */
@NullMarked
package io.millrace.extension;

import org.jspecify.annotations.NullMarked;
