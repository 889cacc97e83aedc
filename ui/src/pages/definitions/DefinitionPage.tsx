import { Page } from "../../components/Page";

export function DefinitionPage() {
  return <Page title="Definition">{null}</Page>;
}
