import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.MILLRACE_URL ?? "http://localhost:7500";

export default defineConfig({
  // Relative, so that one build serves every context path: the server fills in <base href>.
  base: "./",
  plugins: [react()],
  build: { target: "es2023", cssCodeSplit: true, assetsInlineLimit: 0 },
  server: { port: 7501, proxy: { "/api": { target: server }, "/metrics": { target: server } } },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], environment: "node" },
});
