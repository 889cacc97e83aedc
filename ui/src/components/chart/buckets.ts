import type { Series } from "../../api/schema";

/** Returns the complete buckets; an incomplete one would look like a drop to zero. */
export function completeBuckets({ buckets, bucketSeconds, completeTo }: Series): Series["buckets"] {
  const end = Date.parse(completeTo);
  return buckets.filter(({ at }) => Date.parse(at) + bucketSeconds * 1_000 <= end);
}
