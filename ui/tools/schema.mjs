// Writes src/api/schema.ts, types and permissions of the HTTP interface, from the server's openapi.yaml.
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

const source = new URL("../../server/src/main/resources/io/millrace/server/openapi.yaml", import.meta.url);
const target = new URL("../src/api/schema.ts", import.meta.url);
const document = parse(readFileSync(source, "utf8"), { merge: true });

const name = (ref) => ref.split("/").at(-1);
const resolve = (node) =>
  node?.$ref ? node.$ref.slice(2).split("/").reduce((at, key) => at[key], document) : node;
const quoted = (text) => JSON.stringify(text);
const comment = (text) => (text ? `/** ${text.trim().replaceAll("*/", "* /").replace(/\s+/g, " ")} */ ` : "");

function objectType(schema) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([key, value]) => `${comment(value.description)}${quoted(key)}${required.has(key) ? "" : "?"}: ${type(value)};`,
  );
  const rest = schema.additionalProperties;
  if (typeof rest === "object") return `{ [name: string]: ${type(rest)} }`;
  if (rest === true && fields.length === 0) return "{ [name: string]: unknown }";
  return `{ ${fields.join(" ")} }`;
}

function type(schema) {
  if (schema.$ref) return name(schema.$ref);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf) return schema.oneOf.map(type).join(" | ");
  if (schema.allOf) return schema.allOf.map(type).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((one) => type({ ...schema, type: one })).join(" | ");
  switch (schema.type) {
    case "string": return "string";
    case "integer":
    case "number": return "number";
    case "boolean": return "boolean";
    case "null": return "null";
    case "array": return `Array<${type(schema.items)}>`;
    case "object": return objectType(schema);
    default: return "unknown";
  }
}

function parameters(all, place) {
  const fields = all
    .filter((one) => one.in === place)
    .map((one) => `${quoted(one.name)}${one.required ? "" : "?"}: ${type(one.schema)};`);
  return `{ ${fields.join(" ")} }`;
}

function jsonOf(holder) {
  const media = resolve(holder)?.content;
  const schema = media?.["application/json"]?.schema;
  return schema ? type(schema) : undefined;
}

const lines = ["// Made from openapi.yaml by tools/schema.mjs.", ""];
for (const [key, schema] of Object.entries(document.components.schemas)) {
  lines.push(`${comment(schema.description)}export type ${key} = ${type(schema)};`);
}
lines.push("", "/** The operations of the HTTP API, by method and path. */", "export interface Operations {");
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of ["get", "post", "put", "patch", "delete"]) {
    const operation = item[method];
    if (!operation) continue;
    const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
    const answers = Object.entries(operation.responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, response]) => jsonOf(response) ?? "null");
    lines.push(
      `  ${comment(operation.summary).trimEnd()}`,
      `  ${quoted(`${method.toUpperCase()} ${path}`)}: {`,
      `    path: ${parameters(all, "path")};`,
      `    query: ${parameters(all, "query")};`,
      `    body: ${operation.requestBody ? jsonOf(operation.requestBody) : "undefined"};`,
      `    answer: ${[...new Set(answers)].join(" | ") || "never"};`,
      "  };",
    );
  }
}
lines.push("}", "");

const permissions = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, operation]) => operation["x-permission"])
    .map(([method, operation]) => `  ${quoted(`${method.toUpperCase()} ${path}`)}: ${quoted(operation["x-permission"])},`),
);
lines.push(
  "/** The lowest role that may call each operation. */",
  'export const permissions: Record<keyof Operations, "public" | Role> = {',
  ...permissions,
  "};",
  "",
);
writeFileSync(target, lines.join("\n"));
