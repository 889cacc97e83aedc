import { describe, expect, it } from "vitest";
import type { Change } from "../api/schema";
import { Gatherer, type Timers } from "./gather";

/** Timers that run when the test says so. */
class ManualTimers implements Timers {
  due: (() => void)[] = [];
  set(action: () => void) {
    this.due.push(action);
    return action;
  }
  clear(timer: unknown) {
    this.due = this.due.filter((action) => action !== timer);
  }
  run() {
    const all = this.due;
    this.due = [];
    for (const action of all) action();
  }
}

function made() {
  const timers = new ManualTimers();
  const passed: Change[] = [];
  return { timers, passed, gatherer: new Gatherer(1_000, (change) => passed.push(change), timers) };
}

describe("gathering changes", () => {
  it("passes the first at once", () => {
    const { passed, gatherer } = made();
    gatherer.add({ instances: [1] });
    expect(passed.map(({ instances }) => instances)).toEqual([[1]]);
  });

  it("passes the others together after the pause", () => {
    const { timers, passed, gatherer } = made();
    gatherer.add({ instances: [1] });
    gatherer.add({ instances: [2] });
    gatherer.add({ instances: [3], executors: true });
    expect(passed).toHaveLength(1);
    timers.run();
    expect(passed).toHaveLength(2);
    expect(passed[1]).toMatchObject({ instances: [2, 3], executors: true });
  });

  it("passes at once again after a pause in which nothing came", () => {
    const { timers, passed, gatherer } = made();
    gatherer.add({ instances: [1] });
    timers.run();
    expect(timers.due).toEqual([]);
    gatherer.add({ instances: [2] });
    expect(passed).toHaveLength(2);
  });

  it("passes nothing after it was stopped", () => {
    const { timers, passed, gatherer } = made();
    gatherer.add({ instances: [1] });
    gatherer.add({ instances: [2] });
    gatherer.stop();
    timers.run();
    expect(passed).toHaveLength(1);
  });
});
