package io.millrace.redis.admin;

import java.util.List;

/** A flow and the state of its queues. */
public record FlowView(String name, List<String> lookup, List<QueueView> queues) {}
