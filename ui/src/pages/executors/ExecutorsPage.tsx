import { Page } from "../../components/Page";

export function ExecutorsPage() {
  return <Page title="Executors">{null}</Page>;
}
