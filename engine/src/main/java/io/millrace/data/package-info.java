/**
 * What workflows remember beyond one instance: keys and values, which periods have had their run,
 * and which records were seen before. Values and interfaces only.
 */
@NullMarked
package io.millrace.data;

import org.jspecify.annotations.NullMarked;
