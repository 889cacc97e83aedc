import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { InputField } from "./inputForm";
import { PropertyField } from "./PropertyField";

const drawn = (field: Omit<InputField, "name">) =>
  renderToStaticMarkup(<PropertyField field={{ name: "speed", ...field }} zone="utc" onChange={() => undefined} />);

describe("a field of the input", () => {
  it("has the control of its kind", () => {
    const pattern = /<(input|select|textarea)(?=[ >])(?:[^>]*? type="([\w-]+)")?/;
    const control = (kind: InputField["kind"]) => pattern.exec(drawn({ kind, value: "" }))?.slice(1);
    expect(control("text")).toEqual(["input", undefined]);
    expect(control("integer")).toEqual(["input", undefined]);
    expect(control("number")).toEqual(["input", undefined]);
    expect(control("boolean")).toEqual(["input", "checkbox"]);
    expect(control("choice")).toEqual(["select", undefined]);
    expect(control("date")).toEqual(["input", "text"]);
    expect(control("dateTime")).toEqual(["input", "text"]);
    expect(control("json")).toEqual(["textarea", undefined]);
  });

  it("binds the error message to the control", () => {
    const html = drawn({ kind: "integer", value: "", required: true });
    const id = /class="field-fault" id="([^"]+)"/.exec(html)?.[1];
    expect(id).toBeTruthy();
    expect(html).toContain(`aria-describedby="${id}"`);
    expect(html).toContain('aria-invalid="true"');
    expect(html).toContain('required=""');
    expect(drawn({ kind: "integer", value: "1", required: true })).not.toMatch(/aria-describedby|field-fault/);
  });

  it("has an empty choice when it is optional or nothing is chosen", () => {
    const choices = (field: Partial<InputField>) => {
      const html = drawn({ kind: "choice", value: "SLOW", choices: ["SLOW", "FAST"], ...field });
      return [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text);
    };
    expect(choices({ required: true })).toEqual(["SLOW", "FAST"]);
    expect(choices({ required: true, value: "" })).toEqual(["choose…", "SLOW", "FAST"]);
    expect(choices({ required: false })).toEqual(["", "SLOW", "FAST"]);
    expect(choices({ kind: "boolean", required: false, value: "true" })).toEqual(["", "true", "false"]);
  });
});
