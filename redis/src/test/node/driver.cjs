"use strict";
// The unmodified npm package, steered by lines of JSON: {id, do, ...} comes in; {id, ok} or
// {id, error} answers it; {event, ...} tells what happens. See commands below.
const fs = require("node:fs");
const readline = require("node:readline");
const correlator = require("correlation-id");
const { Flow, FlowMonitor } = require("@guildxyz/queues");

const redisClientOptions = { url: process.argv[2] };

// Written at once, so that a killed process has told all that it did before.
const tell = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);

const log = (level) => (message, meta) =>
  tell({
    event: "log",
    level,
    message,
    queue: meta?.queueName,
    job: meta?.jobId,
    error: meta?.error === undefined ? undefined : String(meta.error?.message ?? meta.error),
  });
const logger = Object.fromEntries(
  ["debug", "info", "warn", "error", "verbose"].map((level) => [level, log(level)])
);

const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

// What a worker does with a job: {kind, result, nextQueue, ms, message, until}.
const behaviours = {
  answer: (how) => ({ ...how.result }),
  echo: (how, job) => ({ ...how.result, echo: job }),
  sleep: (how) => later(how.ms, { ...how.result }),
  hang: () => new Promise(() => {}),
  fail: (how) => {
    throw new Error(how.message);
  },
  throwValue: (how) => {
    throw how.value;
  },
  nothing: () => undefined,
  // Not even a timer runs until there is a file of that name, nor are commands read.
  stuck: (how) => {
    while (!fs.existsSync(how.until)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
    return { ...how.result };
  },
};

const functionOf = (how, queue) => async (job) => {
  tell({ event: "job", queue, job, correlation: correlator.getId(), process: process.pid });
  const result = await behaviours[how.kind](how, job);
  if (result && how.nextQueue) {
    result.nextQueue = how.nextQueue;
  }
  return result;
};

const flows = new Map();
const workers = new Map();
const monitors = [];
const flow = (name) => {
  if (!flows.has(name)) {
    throw new Error(`no flow ${name}`);
  }
  return flows.get(name);
};

const run = async (made) => {
  await Promise.all(made.map((worker) => worker.connect()));
  await Promise.all(made.map((worker) => worker.start()));
  made.forEach((worker) => workers.set(worker.id, worker));
  return made.map((worker) => worker.id);
};

const create = (name, fields, correlation) =>
  correlation === undefined
    ? flow(name).createJob(fields)
    : correlator.withId(correlation, () => flow(name).createJob(fields));

const commands = {
  // The answer follows all that was told before.
  answer: () => null,
  flow: async ({ name, queues, lookup }) => {
    const made = new Flow({
      name,
      queueOptions: queues,
      lookupAttributes: lookup,
      redisClientOptions,
      logger,
      correlator,
    });
    await made.connect();
    flows.set(name, made);
    return name;
  },
  create: ({ flow: name, fields, correlation }) => create(name, fields, correlation),
  // {n: 0}, {n: 1} and so on
  createMany: ({ flow: name, count }) =>
    Promise.all(Array.from({ length: count }, (_, n) => create(name, { n }))),
  workers: ({ flow: name, queue, count, lock, block, behaviour }) =>
    run(flow(name).createWorkers(queue, functionOf(behaviour, queue), count, lock, block)),
  parents: ({ flow: name, queue, count, lock, block }) =>
    run(flow(name).createParentWorkers(queue, count, lock, block)),
  children: ({ flow: name, queue, child, count, lock, block, behaviour }) =>
    run(
      flow(name).createChildWorkers(
        queue,
        child,
        functionOf(behaviour, `${queue}:${child}`),
        count,
        lock,
        block
      )
    ),
  status: ({ workers: ids }) => ids.map((id) => workers.get(id).status),
  stop: async ({ workers: ids }) => {
    await Promise.all(ids.map((id) => workers.get(id).stop()));
    await Promise.all(ids.map((id) => workers.get(id).disconnect()));
    return ids.map((id) => workers.get(id).status);
  },
  find: ({ flow: name, attribute, value, children }) =>
    flow(name).getJobsByKey(attribute, value, children),
  delete: async ({ flow: name, job }) => (await flow(name).deleteJob(job)).length,
  monitor: async ({ flow: flowName, queues: queueNames, ms: intervalMs }) => {
    const monitor = new FlowMonitor({
      flowName,
      queueNames,
      intervalMs,
      logger,
      redisClientOptions,
    });
    await monitor.start();
    monitors.push(monitor);
    return monitors.length;
  },
};

const execute = async ({ id, do: name, ...given }) => {
  try {
    const command = commands[name];
    if (!command) {
      throw new Error(`no command ${name}: there are ${Object.keys(commands).join(", ")}`);
    }
    tell({ id, ok: (await command(given)) ?? null });
  } catch (error) {
    tell({ id, error: String(error?.message ?? error) });
  }
};

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => execute(JSON.parse(line)));
lines.on("close", () => process.exit(0));
tell({ event: "ready", process: process.pid });
