import { expect, it } from "vitest";
import { bytesText } from "./number";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [184_320, "184 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [3_440_000, "3.4 MB"],
  [9_950_000, "10 MB"],
])("%i bytes are written as %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
