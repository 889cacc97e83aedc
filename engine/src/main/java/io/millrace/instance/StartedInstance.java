package io.millrace.instance;

/**
 * The result of a start.
 *
 * @param id the instance
 * @param created false if an earlier start with the same external id had created it
 */
public record StartedInstance(long id, boolean created) {}
