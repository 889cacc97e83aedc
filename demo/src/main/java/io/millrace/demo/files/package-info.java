/** The Redis flow of the demo: the files of a folder, hashed and measured. */
@NullMarked
package io.millrace.demo.files;

import org.jspecify.annotations.NullMarked;
