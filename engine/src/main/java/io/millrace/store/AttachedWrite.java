package io.millrace.store;

/**
 * A write that a transition or a start carries and that is committed with it. The store has a
 * writer for each kind.
 */
public interface AttachedWrite {}
