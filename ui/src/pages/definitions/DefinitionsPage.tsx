import { Page } from "../../components/Page";

export function DefinitionsPage() {
  return <Page title="Definitions">{null}</Page>;
}
