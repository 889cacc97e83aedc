import "./app/loginLink"; // first, so that no other code sees the token in the address
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./app/queryClient";
import { router } from "./app/router";
import { preloadParts } from "./components/lazyPart";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/components.css";
import "./styles/shell.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

// Once the first page stands: what is loaded by then works without the server, and survives its upgrade.
window.addEventListener("load", () => void setTimeout(preloadParts, 2_000));
