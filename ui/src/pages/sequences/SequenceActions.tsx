import { Link } from "@tanstack/react-router";
import { MoreHorizontal, Pencil, Play } from "lucide-react";
import { Fragment } from "react";
import type { SequenceDetail } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { helping, offered, sequenceActions, type SequenceActionName } from "./actions";

interface Props {
  sequence: SequenceDetail;
  open: (action: SequenceActionName) => void;
}

/** The buttons and the menu of the actions that are possible on the sequence now and permitted for the user. */
export function SequenceActions({ sequence, open }: Props) {
  const may = useMay();
  const { sequenceId } = sequence;
  const possible = offered(sequence.actions, may);
  const rest = possible.filter((name) => name !== "run" && !helping.includes(name));
  return (
    <>
      {possible.includes("run") && (
        <Button icon={<Play size={14} aria-hidden="true" />} onClick={() => open("run")}>
          {sequenceActions.run.word}
        </Button>
      )}
      {may("PUT /sequences/{sequenceId}") && (
        <Link to="/sequences/$sequenceId/edit" params={{ sequenceId }} className="button">
          <Pencil size={14} aria-hidden="true" /> Edit
        </Link>
      )}
      {rest.length > 0 && (
        <Menu
          label="Actions"
          trigger={
            <Button icon={<MoreHorizontal size={15} aria-hidden="true" />} aria-label="Actions">
              Actions
            </Button>
          }
        >
          {rest.map((name) => (
            <Fragment key={name}>
              {name === "remove" && rest.length > 1 && <MenuLine />}
              <MenuItem danger={name === "remove"} onSelect={() => open(name)}>
                {sequenceActions[name].word}
              </MenuItem>
            </Fragment>
          ))}
        </Menu>
      )}
    </>
  );
}

/** Buttons for the actions that help a sequence that cannot continue by itself. */
export function HelpingButtons({ sequence, open }: Props) {
  const possible = offered(sequence.actions, useMay());
  return helping
    .filter((name) => possible.includes(name))
    .map((name, index) => (
      <Button key={name} look={index === 0 ? "primary" : "plain"} onClick={() => open(name)}>
        {sequenceActions[name].word}
      </Button>
    ));
}
