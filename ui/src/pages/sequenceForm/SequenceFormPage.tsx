import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { sequenceQueries } from "../../api/sequences";
import { useMay } from "../../app/session";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Editor } from "./Editor";
import { emptyForm, formOf } from "./form";
import "./sequenceForm.css";

const edit = getRouteApi("/sequences/$sequenceId/edit");

/** The page that adds a sequence. */
export function AddSequencePage() {
  const may = useMay()("POST /sequences");
  const tasks = useQuery(sequenceQueries.tasks());
  return (
    <Page
      title="Add sequence"
      subtitle="A new task sequence: its tasks and its schedule."
    >
      {may ? <Loaded query={tasks}>{(all) => <Editor initial={emptyForm} tasks={all} />}</Loaded> : <NotAllowed />}
    </Page>
  );
}

/** The page that changes a sequence. Typed input stays if another user changes the sequence meanwhile. */
export function EditSequencePage() {
  const { sequenceId } = edit.useParams();
  const may = useMay()("PUT /sequences/{sequenceId}");
  const tasks = useQuery(sequenceQueries.tasks());
  const sequence = useQuery(sequenceQueries.one(sequenceId));
  return (
    <Page
      title={`Edit ${sequenceId}`}
      subtitle="A task sequence: its tasks and its schedule."
    >
      {may ? (
        <Loaded query={tasks}>
          {(all) => (
            <Loaded query={sequence}>
              {(data) => <Editor key={sequenceId} initial={() => formOf(data)} current={data} tasks={all} />}
            </Loaded>
          )}
        </Loaded>
      ) : (
        <NotAllowed />
      )}
    </Page>
  );
}

function NotAllowed() {
  return (
    <EmptyState title="Permission denied">Only operators can change sequences. Ask an administrator for the role operator.</EmptyState>
  );
}
