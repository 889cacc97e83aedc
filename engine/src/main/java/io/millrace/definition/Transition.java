package io.millrace.definition;

/**
 * A declared transition from one state to another.
 *
 * @param failure true if it is taken when the state has failed for good
 */
public record Transition(String from, String to, boolean failure) {}
