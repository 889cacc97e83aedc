import { lazy, Suspense } from "react";
import type { PlotProps } from "./chart/Plot";

const Plot = lazy(() => import("./chart/Plot"));

/** A chart over time. The drawing code is loaded when the first one is shown. */
export function Chart(props: PlotProps) {
  return (
    <Suspense fallback={<div className="loading" />}>
      <Plot {...props} />
    </Suspense>
  );
}
