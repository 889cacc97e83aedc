import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.MILLRACE_URL ?? "http://localhost:7500";

const pages = (names: string) => new RegExp(`[\\\\/]src[\\\\/]pages[\\\\/](${names})[\\\\/]`);

/** The files of the build. Small files compress badly, so shared code is one file, and so are related pages. */
const groups = [
  {
    name: "base",
    priority: 1,
    test: (id: string) =>
      /[\\/]node_modules[\\/](?!@xyflow|@dagrejs|d3-|uplot|zustand|classcat|use-sync)/.test(id) ||
      /[\\/]src[\\/](api|app|live|components)[\\/][^\\/]+$/.test(id) ||
      /[\\/]src[\\/]pages[\\/]\w+[\\/](search|filter)\.ts$/.test(id),
  },
  { name: "instances", test: pages("instances|instance|definitions|problems|overview") },
  { name: "sequences", test: pages("sequences|sequenceForm|tasks|calendar|taskRuns|reports|channels") },
  { name: "admin", test: pages("executors|audit|settings|login") },
  { name: "flows", test: pages("flows") },
  { name: "continuous", test: pages("continuous|ledger|keyValues|reduce") },
];

export default defineConfig({
  // Relative, so that one build serves every context path: the server fills in <base href>.
  base: "./",
  plugins: [react()],
  build: {
    target: "es2023",
    manifest: true, // for tools/size.mjs; the server does not take it
    cssCodeSplit: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600, // npm run size has the limit that counts
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { port: 7501, proxy: { "/api": { target: server }, "/metrics": { target: server } } },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], environment: "node", testTimeout: 180_000, hookTimeout: 180_000 },
});
