// The flow of two queues, with @guildxyz/queues.
import queues from "@guildxyz/queues";
import correlator from "correlation-id";
import { begin, connect, countdown, end, settings, tellHandOvers } from "./measure.mjs";

const silent = { debug() {}, info() {}, verbose() {}, warn() {}, error() {} };
const hidden = console.log;
const client = await connect();
const flow = new queues.Flow({
  name: "bench",
  redisClientOptions: { url: settings.uri },
  logger: silent,
  correlator,
  lookupAttributes: [],
  queueOptions: [
    { queueName: "first", nextQueueName: "second", attributesToGet: ["n"] },
    { queueName: "second", attributesToGet: ["n"] },
  ],
});

let second = countdown(0);
let firstEnded = 0;
const handOvers = [];
const first = flow.createWorkers("first", async () => {
  firstEnded = performance.now();
  return { measured: true };
}, settings.workers);
const last = flow.createWorkers("second", async () => {
  handOvers.push(performance.now() - firstEnded);
  second.count();
  return { done: true };
}, settings.workers);

async function run(jobs, whileStopped) {
  second = countdown(jobs);
  for (let from = 0; from < jobs; from += 500) {
    const chunk = Math.min(500, jobs - from);
    await Promise.all(Array.from({ length: chunk }, (_, i) => flow.createJob({ n: from + i })));
  }
  const started = whileStopped ? await whileStopped() : undefined;
  return { started, at: await second.promise };
}

async function work(on) {
  for (const worker of [...first, ...last]) {
    await (on ? worker.start() : worker.stop());
  }
}

async function stopAll() {
  await Promise.all([...first, ...last].map((worker) => worker.stop()));
}

await flow.startAll();
await run(Math.max(settings.workers, 2 * settings.jobs));
await stopAll();
const { started, at } = await run(settings.jobs, async () => {
  const from = await begin(client);
  await work(true);
  return from;
});
await end(client, started, at);
handOvers.length = 0;
for (let i = 0; i < settings.oneByOne; i++) {
  await run(1);
}
tellHandOvers(handOvers);
hidden("> end");
process.exit(0);
