// The flow of two queues, with BullMQ.
import { Queue, Worker } from "bullmq";
import { begin, connect, countdown, end, settings, tellHandOvers } from "./measure.mjs";

const at = new URL(settings.uri);
const connection = { host: at.hostname, port: Number(at.port), maxRetriesPerRequest: null };
const options = { connection, defaultJobOptions: { removeOnComplete: true } };
const client = await connect();
const first = new Queue("first", options);
const second = new Queue("second", options);

let left = countdown(0);
let firstEnded = 0;
const handOvers = [];
const concurrency = settings.workers;
const workers = [
  new Worker("first", async (job) => {
    firstEnded = performance.now();
    await second.add("step", { n: job.data.n });
    return { measured: true };
  }, { connection, concurrency, autorun: false }),
  new Worker("second", async () => {
    handOvers.push(performance.now() - firstEnded);
    left.count();
    return { done: true };
  }, { connection, concurrency, autorun: false }),
];
for (const worker of workers) {
  worker.on("error", (e) => console.log(e));
  worker.run();
  await worker.waitUntilReady();
}

async function run(jobs, whileStopped) {
  left = countdown(jobs);
  for (let from = 0; from < jobs; from += 500) {
    const chunk = Math.min(500, jobs - from);
    await first.addBulk(Array.from({ length: chunk }, (_, i) => ({ name: "step", data: { n: from + i } })));
  }
  const started = whileStopped ? await whileStopped() : undefined;
  return { started, at: await left.promise };
}

await run(Math.max(concurrency, 2 * settings.jobs));
await Promise.all(workers.map((worker) => worker.pause()));
const { started, at: ended } = await run(settings.jobs, async () => {
  const from = await begin(client);
  workers.forEach((worker) => worker.resume());
  return from;
});
await end(client, started, ended);
handOvers.length = 0;
for (let i = 0; i < settings.oneByOne; i++) {
  await run(1);
}
tellHandOvers(handOvers);
console.log("> end");
process.exit(0);
