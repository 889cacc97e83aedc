import { lazyPart } from "./lazyPart";

/** A chart over time. The drawing code is loaded when the first one is shown. */
export const Chart = lazyPart(() => import("./chart/Plot"), "Plot");
