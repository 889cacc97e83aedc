package io.millrace.instance;

/**
 * The answer to a start.
 *
 * @param id the instance
 * @param created false when an earlier start with the same external id had created it
 */
public record Started(long id, boolean created) {}
