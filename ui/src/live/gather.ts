import type { Change } from "../api/schema";
import { merge } from "./touched";

/** The timer functions of a window; tests provide their own. */
export interface Timers {
  set(action: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

/** A throttle of changes. It passes on the first at once and then, at most once per pause, all that came since. */
export class Gatherer {
  private pending: Change | null = null;
  private timer: unknown = null;

  constructor(
    private readonly pause: number,
    private readonly pass: (change: Change) => void,
    private readonly timers: Timers,
  ) {}

  add(change: Change) {
    this.pending = this.pending ? merge(this.pending, change) : change;
    if (this.timer === null) this.flush();
  }

  stop() {
    if (this.timer !== null) this.timers.clear(this.timer);
    this.timer = null;
    this.pending = null;
  }

  private flush() {
    const change = this.pending;
    this.pending = null;
    this.timer = null;
    if (!change) return;
    this.pass(change);
    this.timer = this.timers.set(() => this.flush(), this.pause);
  }
}
