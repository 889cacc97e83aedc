package io.millrace.instance;

/**
 * The answer to a start.
 *
 * @param id the instance
 * @param created false when an earlier start with the same external id had created it
 */
public record StartedInstance(long id, boolean created) {}
