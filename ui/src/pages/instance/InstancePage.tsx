import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../../api/queries";
import type { InstanceDetail } from "../../api/schema";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page } from "../../components/Page";
import { StatusBadge } from "../../components/StatusBadge";
import { Facts } from "./Facts";
import { InstanceActions, useActions } from "./InstanceActions";
import "./instance.css";
import { Stuck } from "./Stuck";
import { Tabs } from "./Tabs";
import { Why } from "./Why";

const route = getRouteApi("/instances/$id");

export function InstancePage() {
  const { id } = route.useParams();
  return typeof id === "number" ? <KnownId id={id} /> : <NoId text={id} />;
}

function NoId({ text }: { text: string }) {
  return (
    <Page
      title="Instance not found"
      subtitle="No instance has this address."
    >
      <EmptyState title={`"${text}" is not an instance id`}>
        The id of an instance is a whole number, such as 4711.{" "}
        <Link to="/instances" search={{ keyPrefix: text }}>
          Search for a key that starts with "{text}"
        </Link>
        .
      </EmptyState>
    </Page>
  );
}

function KnownId({ id }: { id: number }) {
  const instance = useQuery(queries.instance(id));
  return instance.data ? (
    <Shown key={id} instance={instance.data} />
  ) : (
    <Page
      title={`Instance ${id}`}
      subtitle="One run of a workflow definition."
    >
      <Loaded query={instance}>{() => null}</Loaded>
    </Page>
  );
}

function Shown({ instance }: { instance: InstanceDetail }) {
  const { id, type, progress } = instance;
  const { open, dialog } = useActions(instance);
  return (
    <Page
      title={`${type} ${id}`}
      subtitle="One run of a workflow definition: its status and its history."
      heading={
        <span className="instance-heading">
          {instance.parentId && (
            <>
              <Link to="/instances/$id" params={{ id: instance.parentId }}>
                {instance.parentId}
              </Link>
              <span className="faint" aria-hidden="true">
                /
              </span>
            </>
          )}
          <span>
            {type} <span className="number">{id}</span>
          </span>
          <StatusBadge status={instance.status} />
          <CopyButton text={window.location.href} label="Copy the link" />
        </span>
      }
      actions={<InstanceActions instance={instance} open={open} />}
    >
      <Why instance={instance} open={open} />
      {progress && <ProgressBar {...progress} />}
      {instance.stuck && <Stuck stuck={instance.stuck} />}
      <Facts instance={instance} />
      <Tabs instance={instance} onEdit={instance.allowed.includes("editVariables") ? () => open("editVariables") : undefined} />
      {dialog}
    </Page>
  );
}

function ProgressBar({ done, total, text }: { done: number; total: number; text?: string | null }) {
  const part = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div className="instance-progress">
      {total > 0 && (
        <div className="progress" role="progressbar" aria-label="Progress" aria-valuenow={done} aria-valuemax={total}>
          <div style={{ width: `${part * 100}%` }} />
        </div>
      )}
      <span className="number">{total > 0 ? `${countText(done)} of ${countText(total)}` : countText(done)}</span>
      {text && <span className="muted">{text}</span>}
    </div>
  );
}
