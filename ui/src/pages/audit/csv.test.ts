import { describe, expect, it } from "vitest";
import { csvCell, csvText } from "./csv";

describe("a CSV file", () => {
  it.each<[string | number | null | undefined, string]>([
    ["plain", "plain"],
    [null, ""],
    [undefined, ""],
    [7, "7"],
    [-7, "-7"],
    ['say "x", y', '"say ""x"", y"'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ])("holds %j as %s", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it("has a head and one line for each row", () => {
    expect(csvText(["a", "b"], [[1, "x"], [2, null]])).toBe("a,b\r\n1,x\r\n2,\r\n");
  });
});
