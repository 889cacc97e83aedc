import { Page } from "../../components/Page";

export function InstancePage() {
  return <Page title="Instance">{null}</Page>;
}
