import {
  Activity,
  CalendarCheck,
  CalendarDays,
  ClipboardList,
  Cpu,
  FileText,
  FilterIcon,
  InfinityIcon,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  ListOrdered,
  Mails,
  Puzzle,
  Settings,
  TriangleAlert,
  Waypoints,
  Workflow,
  Wrench,
  type LucideIcon,
} from "lucide-react";

interface Place {
  to: string;
  /** The title of the page. */
  name: string;
  icon: LucideIcon;
  admin?: boolean;
}

/** The pages of the menu. */
export const placeGroups: readonly { name: string; places: readonly Place[] }[] = [
  {
    name: "Work",
    places: [
      { to: "/", name: "Overview", icon: LayoutDashboard },
      { to: "/problems", name: "Problems", icon: TriangleAlert },
      { to: "/instances", name: "Instances", icon: Activity },
      { to: "/definitions", name: "Definitions", icon: Workflow },
      { to: "/key-values", name: "Keys and values", icon: KeyRound },
    ],
  },
  {
    name: "Schedules",
    places: [
      { to: "/sequences", name: "Sequences", icon: ListOrdered },
      { to: "/tasks", name: "Tasks", icon: Puzzle },
      { to: "/task-runs", name: "Task runs", icon: ListChecks },
      { to: "/calendar", name: "Calendar", icon: CalendarDays },
      { to: "/period-ledger", name: "Period ledger", icon: CalendarCheck },
      { to: "/reports", name: "Reports", icon: FileText },
    ],
  },
  {
    name: "Streams",
    places: [
      { to: "/continuous-workflows", name: "Continuous workflows", icon: InfinityIcon },
      { to: "/channels", name: "Channels", icon: Mails },
      { to: "/flows", name: "Flows", icon: Waypoints },
      { to: "/reduce", name: "Reduced records", icon: FilterIcon },
    ],
  },
  {
    name: "System",
    places: [
      { to: "/executors", name: "Executors", icon: Cpu },
      { to: "/maintenance", name: "Maintenance", icon: Wrench },
      { to: "/audit", name: "Audit", icon: ClipboardList },
      { to: "/settings", name: "Settings", icon: Settings, admin: true },
    ],
  },
];
