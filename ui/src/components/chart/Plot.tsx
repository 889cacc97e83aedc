import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "../../app/theme";
import { absoluteText, useZone } from "../../app/time";
import "./plot.css";

export interface Series {
  name: string;
  values: (number | null)[];
  /** Name of a custom property that holds a color, for example "--failed". */
  colour: string;
  look: "line" | "bars";
}

export interface PlotProps {
  /** Description of the chart for screen readers. */
  label: string;
  /** Seconds since 1970, one for each value. */
  times: number[];
  series: Series[];
  height?: number;
  format?: (value: number) => string;
}

/** Date formats of the time axis, by the distance between its ticks. */
const timeFormats: uPlot.Axis.Values = [
  [86_400 * 28, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
  [86_400, "{YYYY}-{MM}-{DD}", null, null, null, null, null, null, 1],
  [3_600, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{YYYY}-{MM}-{DD}", null, null, null, 1],
  [60, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{YYYY}-{MM}-{DD}", null, null, null, 1],
];

const plain = new Intl.NumberFormat("en");
const plainText = (value: number) => plain.format(value);

/** Returns the value of a color property. A canvas does not resolve custom properties, so an element does. */
function colourOf(element: HTMLElement, property: string): string {
  const before = element.style.color;
  element.style.color = `var(${property})`;
  const colour = getComputedStyle(element).color;
  element.style.color = before;
  return colour;
}

const total = (values: (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

export function Plot({ label, times, series, height = 160, format = plainText }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const { shown } = useTheme();
  const [zone] = useZone();
  const shape = series.map(({ name, colour, look }) => `${name} ${colour} ${look}`).join("|");
  const data = useMemo<uPlot.AlignedData>(
    () => [times, ...series.map(({ values }) => values)] as uPlot.AlignedData,
    [times, series],
  );
  const latest = useRef(data);
  latest.current = data;
  // A caller may pass a new function with each render, for which the chart is not built again.
  const written = useRef(format);
  written.current = format;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const text = colourOf(element, "--text-3");
    const axis = { stroke: text, grid: { stroke: colourOf(element, "--line"), width: 1 }, ticks: { show: false } };
    const font = `11px ${getComputedStyle(element).fontFamily}`;
    const made = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
        tzDate: (seconds) => (zone === "utc" ? uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC") : new Date(seconds * 1000)),
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.08)] } },
        axes: [
          { ...axis, font, grid: { show: false }, gap: 6, size: 42, space: 76, values: timeFormats },
          {
            ...axis,
            font,
            size: 44,
            gap: 6,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
            values: (_plot, values) => values.map((value) => written.current(value)),
          },
        ],
        series: [
          {},
          ...series.map(({ colour, look }) => {
            const stroke = colourOf(element, colour);
            return look === "bars"
              ? { stroke, fill: stroke, width: 0, points: { show: false }, paths: uPlot.paths.bars?.({ size: [0.7, 24] }) }
              : { stroke, width: 1.5, points: { show: false } };
          }),
        ],
        hooks: { setCursor: [(self) => setIndex(self.cursor.idx ?? null)] },
      },
      latest.current,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // `shape` stands for the series; their values come with setData.
  }, [shape, height, shown, zone]);

  useEffect(() => {
    plot.current?.setData(data);
  }, [data]);

  const at = index === null ? undefined : times[index];
  return (
    <figure className="plot">
      <figcaption className="plot-legend">
        {series.map(({ name, colour, values }) => (
          <span key={name}>
            <i className="plot-mark" style={{ background: `var(${colour})` }} />
            {name} <b className="number">{format(index === null ? total(values) : (values[index] ?? 0))}</b>
          </span>
        ))}
        <span className="plot-at number">{at === undefined ? "in total" : absoluteText(at * 1000, zone).slice(0, 16)}</span>
      </figcaption>
      <div
        ref={place}
        role="img"
        aria-label={`${label}: ${series.map(({ name, values }) => `${name} ${format(total(values))}`).join(", ")}`}
      />
    </figure>
  );
}
