/** Imports of the tables of other systems into the tables of Millrace. The source is only read. */
@NullMarked
package io.millrace.imports;

import org.jspecify.annotations.NullMarked;
