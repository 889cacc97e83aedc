import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { baseUrl } from "../api/client";
import type { Range } from "../api/queries";
import { lazyPage } from "../components/lazyPart";
import { readContinuousSearch } from "../pages/continuous/search";
import { readAuditSearch } from "../pages/audit/search";
import { readCalendarSearch } from "../pages/calendar/search";
import { readFlowSearch, readQueueSearch } from "../pages/flows/search";
import { readFilter } from "../pages/instances/filter";
import { readKeySearch } from "../pages/keyValues/search";
import { readLedgerSearch } from "../pages/ledger/search";
import { readReduceSearch } from "../pages/reduce/search";
import { readSequenceSearch } from "../pages/sequences/search";
import { among, one, parseSearch, positive, writeSearch } from "./search";
import { NotFound, PageFault, Shell } from "./Shell";

export const ranges: readonly Range[] = ["1h", "24h", "7d", "30d"];
export const instanceTabs = ["graph", "timeline", "history", "variables", "messages", "logs", "children", "raw"] as const;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search): { range?: Range } => ({ range: among(search.range, ranges) }),
  component: lazyPage(() => import("../pages/overview/OverviewPage"), "OverviewPage"),
});

const problems = createRoute({
  getParentRoute: () => root,
  path: "/problems",
  component: lazyPage(() => import("../pages/problems/ProblemsPage"), "ProblemsPage"),
});

const instances = createRoute({
  getParentRoute: () => root,
  path: "/instances",
  validateSearch: readFilter,
  component: lazyPage(() => import("../pages/instances/InstancesPage"), "InstancesPage"),
});

const instance = createRoute({
  getParentRoute: () => root,
  path: "/instances/$id",
  params: {
    parse: ({ id }) => ({ id: positive(id) ?? id }),
    stringify: ({ id }) => ({ id: String(id) }),
  },
  validateSearch: (search): { tab?: (typeof instanceTabs)[number]; entry?: number; state?: string } => ({
    tab: among(search.tab, instanceTabs),
    entry: positive(search.entry),
    state: one(search.state),
  }),
  component: lazyPage(() => import("../pages/instance/InstancePage"), "InstancePage"),
});

const definitions = createRoute({
  getParentRoute: () => root,
  path: "/definitions",
  component: lazyPage(() => import("../pages/definitions/DefinitionsPage"), "DefinitionsPage"),
});

const definition = createRoute({
  getParentRoute: () => root,
  path: "/definitions/$type",
  validateSearch: (search): { version?: number; start?: string } => ({
    version: positive(search.version),
    start: one(search.start),
  }),
  component: lazyPage(() => import("../pages/definitions/DefinitionPage"), "DefinitionPage"),
});

const calendar = createRoute({
  getParentRoute: () => root,
  path: "/calendar",
  validateSearch: readCalendarSearch,
  component: lazyPage(() => import("../pages/calendar/CalendarPage"), "CalendarPage"),
});

const sequences = createRoute({
  getParentRoute: () => root,
  path: "/sequences",
  validateSearch: readSequenceSearch,
  component: lazyPage(() => import("../pages/sequences/SequencesPage"), "SequencesPage"),
});

const sequence = createRoute({
  getParentRoute: () => root,
  path: "/sequences/$sequenceId",
  component: lazyPage(() => import("../pages/sequences/SequencePage"), "SequencePage"),
});

const editSequence = createRoute({
  getParentRoute: () => root,
  path: "/sequences/$sequenceId/edit",
  component: lazyPage(() => import("../pages/sequenceForm/SequenceFormPage"), "EditSequencePage"),
});

const addSequence = createRoute({
  getParentRoute: () => root,
  path: "/add-sequence", // no sequence can have this address, whatever its id
  component: lazyPage(() => import("../pages/sequenceForm/SequenceFormPage"), "AddSequencePage"),
});

const continuous = createRoute({
  getParentRoute: () => root,
  path: "/continuous-workflows",
  validateSearch: readContinuousSearch,
  component: lazyPage(() => import("../pages/continuous/ContinuousPage"), "ContinuousPage"),
});

const continuousOne = createRoute({
  getParentRoute: () => root,
  path: "/continuous-workflows/$name",
  component: lazyPage(() => import("../pages/continuous/WorkflowPage"), "WorkflowPage"),
});

const tasks = createRoute({
  getParentRoute: () => root,
  path: "/tasks",
  component: lazyPage(() => import("../pages/tasks/TasksPage"), "TasksPage"),
});

const taskRuns = createRoute({
  getParentRoute: () => root,
  path: "/task-runs",
  validateSearch: (search): { sequenceId?: string } => ({ sequenceId: one(search.sequenceId) }),
  component: lazyPage(() => import("../pages/taskRuns/TaskRunsPage"), "TaskRunsPage"),
});

const periodLedger = createRoute({
  getParentRoute: () => root,
  path: "/period-ledger",
  validateSearch: readLedgerSearch,
  component: lazyPage(() => import("../pages/ledger/LedgerPage"), "LedgerPage"),
});

const formerTaskRuns = createRoute({
  getParentRoute: () => root,
  path: "/history", // for old bookmarks
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/task-runs", search, replace: true });
  },
});

const formerPeriodLedger = createRoute({
  getParentRoute: () => root,
  path: "/fires", // for old bookmarks
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/period-ledger", search, replace: true });
  },
});

const keyValues = createRoute({
  getParentRoute: () => root,
  path: "/key-values",
  validateSearch: readKeySearch,
  component: lazyPage(() => import("../pages/keyValues/KeyValuesPage"), "KeyValuesPage"),
});

const reduce = createRoute({
  getParentRoute: () => root,
  path: "/reduce",
  validateSearch: readReduceSearch,
  component: lazyPage(() => import("../pages/reduce/ReducePage"), "ReducePage"),
});

const reports = createRoute({
  getParentRoute: () => root,
  path: "/reports",
  component: lazyPage(() => import("../pages/reports/ReportsPage"), "ReportsPage"),
});

const channels = createRoute({
  getParentRoute: () => root,
  path: "/channels",
  validateSearch: (search): { channel?: string } => ({ channel: one(search.channel) }),
  component: lazyPage(() => import("../pages/channels/ChannelsPage"), "ChannelsPage"),
});

const flows = createRoute({
  getParentRoute: () => root,
  path: "/flows",
  component: lazyPage(() => import("../pages/flows/FlowsPage"), "FlowsPage"),
});

const flow = createRoute({
  getParentRoute: () => root,
  path: "/flows/$flow",
  validateSearch: readFlowSearch,
  component: lazyPage(() => import("../pages/flows/FlowPage"), "FlowPage"),
});

const queue = createRoute({
  getParentRoute: () => root,
  path: "/flows/$flow/queues/$queue",
  validateSearch: readQueueSearch,
  component: lazyPage(() => import("../pages/flows/QueuePage"), "QueuePage"),
});

const job = createRoute({
  getParentRoute: () => root,
  path: "/flows/$flow/jobs/$id",
  component: lazyPage(() => import("../pages/flows/JobPage"), "JobPage"),
});

const maintenance = createRoute({
  getParentRoute: () => root,
  path: "/maintenance",
  component: lazyPage(() => import("../pages/maintenance/MaintenancePage"), "MaintenancePage"),
});

const executors = createRoute({
  getParentRoute: () => root,
  path: "/executors",
  component: lazyPage(() => import("../pages/executors/ExecutorsPage"), "ExecutorsPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyPage(() => import("../pages/audit/AuditPage"), "AuditPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyPage(() => import("../pages/settings/SettingsPage"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    problems,
    instances,
    instance,
    definitions,
    definition,
    sequences,
    sequence,
    editSequence,
    addSequence,
    continuous,
    continuousOne,
    tasks,
    calendar,
    taskRuns,
    periodLedger,
    formerTaskRuns,
    formerPeriodLedger,
    keyValues,
    reduce,
    reports,
    channels,
    flows,
    flow,
    queue,
    job,
    executors,
    maintenance,
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
