import type { Series } from "../../api/schema";

/** The buckets in which all is counted: one that is not complete would look like a fall to zero. */
export function completeBuckets({ buckets, stepSeconds, completeTo }: Series): Series["buckets"] {
  const end = Date.parse(completeTo);
  return buckets.filter(({ at }) => Date.parse(at) + stepSeconds * 1_000 <= end);
}
