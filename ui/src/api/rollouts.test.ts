import { expect, it } from "vitest";
import { commandText } from "./actions";
import { changePolicy, startRollout, steer } from "./rollouts";

it("says the same for a terminal", () => {
  expect(commandText(startRollout({}, ""))).toBe("millrace rollout start");
  expect(commandText(startRollout({ nodes: ["a", "b"], graceSeconds: 0, patienceSeconds: 60 }, "new version"))).toBe(
    "millrace rollout start a b --grace 0 --patience 60 --reason 'new version'",
  );
  expect(commandText(steer(7, "abort", ""))).toBe("millrace rollout abort 7");
  const policy = { enabled: true, at: "04:30", zone: "Europe/Berlin", windowSeconds: 60, maxAgeSeconds: null, memoryPercent: 85 };
  expect(commandText(changePolicy(policy, ""))).toBe(
    "millrace recycle set --on --at 04:30 --zone Europe/Berlin --window 60 --max-age 0 --memory 85",
  );
});
