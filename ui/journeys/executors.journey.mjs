export default {
  async "executors show their heartbeat, their load and what they can run"(t) {
    const page = await t.open("executors", "Executors");
    const card = page.getByRole("listitem").filter({ hasText: "this server" });
    await card.getByText("alive").waitFor();
    await card.getByText(/of \d+ busy/).waitFor();
    await card.getByRole("link", { name: "order", exact: true }).waitFor();
    await t.accessible();
    await t.shot("executors");
    await card.getByRole("button", { name: "Drain" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("the page stays").waitFor();
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(/millrace drain \d+/).first().waitFor();
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await card.getByText("alive").waitFor();
    await card.getByRole("link", { name: /^\d+$/ }).click();
    await page.waitForURL((url) => url.searchParams.has("executor"));
  },
};
