import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { Page } from "./Page";

vi.mock("../app/preferences", () => ({ usePreference: () => ["utc", () => undefined] }));

const textOf = (zone?: string) => {
  const page = (
    <Page title="Calendar" subtitle="Planned runs." zone={zone}>
      content
    </Page>
  );
  return renderToStaticMarkup(page).replace(/<[^>]+>/g, "");
};

it("says below the title what the page shows, and the zone of its times", () => {
  expect(textOf()).toBe("CalendarPlanned runs. Times in UTC.content");
  expect(textOf("Europe/Berlin")).toBe("CalendarPlanned runs. Times in Europe/Berlin.content");
});
