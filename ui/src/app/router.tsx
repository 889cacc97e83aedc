import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { baseUrl } from "../api/client";
import type { Range } from "../api/queries";
import { readAuditSearch } from "../pages/audit/search";
import { readFilter } from "../pages/instances/filter";
import { among, one, parseSearch, positive, writeSearch } from "./search";
import { NotFound, PageFault, Shell } from "./Shell";

export const ranges: readonly Range[] = ["1h", "24h", "7d", "30d"];
export const instanceTabs = ["graph", "timeline", "actions", "variables", "signals", "logs", "children", "raw"] as const;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search): { range?: Range } => ({ range: among(search.range, ranges) }),
  component: lazyRouteComponent(() => import("../pages/overview/OverviewPage"), "OverviewPage"),
});

const problems = createRoute({
  getParentRoute: () => root,
  path: "/problems",
  component: lazyRouteComponent(() => import("../pages/problems/ProblemsPage"), "ProblemsPage"),
});

const instances = createRoute({
  getParentRoute: () => root,
  path: "/instances",
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import("../pages/instances/InstancesPage"), "InstancesPage"),
});

const instance = createRoute({
  getParentRoute: () => root,
  path: "/instances/$id",
  params: {
    parse: ({ id }) => ({ id: positive(id) ?? 0 }),
    stringify: ({ id }) => ({ id: String(id) }),
  },
  validateSearch: (search): { tab?: (typeof instanceTabs)[number]; entry?: number; state?: string } => ({
    tab: among(search.tab, instanceTabs),
    entry: positive(search.entry),
    state: one(search.state),
  }),
  component: lazyRouteComponent(() => import("../pages/instance/InstancePage"), "InstancePage"),
});

const definitions = createRoute({
  getParentRoute: () => root,
  path: "/definitions",
  component: lazyRouteComponent(() => import("../pages/definitions/DefinitionsPage"), "DefinitionsPage"),
});

const definition = createRoute({
  getParentRoute: () => root,
  path: "/definitions/$type",
  validateSearch: (search): { version?: number; start?: string } => ({
    version: positive(search.version),
    start: one(search.start),
  }),
  component: lazyRouteComponent(() => import("../pages/definitions/DefinitionPage"), "DefinitionPage"),
});

const executors = createRoute({
  getParentRoute: () => root,
  path: "/executors",
  component: lazyRouteComponent(() => import("../pages/executors/ExecutorsPage"), "ExecutorsPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("../pages/audit/AuditPage"), "AuditPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("../pages/settings/SettingsPage"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    problems,
    instances,
    instance,
    definitions,
    definition,
    executors,
    audit,
    settings,
  ]),
  basepath: baseUrl().pathname,
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: "intent",
  defaultErrorComponent: PageFault,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
