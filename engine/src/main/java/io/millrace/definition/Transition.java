package io.millrace.definition;

/**
 * A declared way from one state to another.
 *
 * @param failure true when it is taken because the state was given up
 */
public record Transition(String from, String to, boolean failure) {}
