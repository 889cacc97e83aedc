package io.millrace.server.api;

import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.jobs.Jobs;

/** The Redis flows, as operators see and steer them. Thread-safe. */
public record FlowDesk(FlowAdmin admin, Jobs jobs) {}
