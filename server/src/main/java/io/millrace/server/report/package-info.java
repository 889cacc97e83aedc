/**
 * The report component in the server: report definitions come from files, and the tasks are
 * registered.
 */
@NullMarked
package io.millrace.server.report;

import org.jspecify.annotations.NullMarked;
