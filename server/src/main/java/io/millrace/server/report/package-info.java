/** The report component in the server: its definitions come from files, its tasks are ready. */
@NullMarked
package io.millrace.server.report;

import org.jspecify.annotations.NullMarked;
