import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./app/queryClient";
import { router } from "./app/router";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/components.css";
import "./styles/shell.css";

// A style file that is gone after an upgrade: the script beside it is gone as well, for which the router loads the page anew.
window.addEventListener("vite:preloadError", (event) => {
  if (/^Unable to preload CSS/.test(event.payload.message)) event.preventDefault();
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
