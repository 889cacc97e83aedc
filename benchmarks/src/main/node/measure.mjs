// The figures that every program here reports on a run, as lines "> figure NAME VALUE".
import { createClient } from "redis";

export const settings = {
  uri: process.argv[2],
  jobs: Number(process.argv[3]),
  workers: Number(process.argv[4]),
  oneByOne: Number(process.argv[5]),
};

/** Processor time of the server, in milliseconds, since it was started. */
async function serverMillis(client) {
  const info = await client.info("cpu");
  const of = (name) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)[1]);
  return (of("used_cpu_user") + of("used_cpu_sys")) * 1000;
}

export async function connect() {
  const client = createClient({ url: settings.uri });
  client.on("error", () => {});
  await client.connect();
  return client;
}

export async function begin(client) {
  return { server: await serverMillis(client), cpu: process.cpuUsage(), at: performance.now() };
}

export async function end(client, from, at) {
  const cpu = process.cpuUsage(from.cpu);
  const server = (await serverMillis(client)) - from.server;
  figure("perSecond", (settings.jobs * 1000) / (at - from.at));
  figure("clientMillis", (cpu.user + cpu.system) / 1000 / settings.jobs);
  figure("serverMillis", server / settings.jobs);
}

export function tellHandOvers(millis) {
  const sorted = [...millis].sort((a, b) => a - b);
  figure("idle50", sorted[Math.floor(sorted.length / 2)]);
  figure("idle99", sorted[Math.floor(sorted.length * 0.99)]);
}

export function figure(name, value) {
  console.log(`> figure ${name} ${value}`);
}

/** A promise that is kept when count() was called so often. */
export function countdown(expected) {
  let left = expected;
  let reached;
  const promise = new Promise((resolve) => (reached = resolve));
  return { promise, count: () => --left === 0 && reached(performance.now()) };
}
