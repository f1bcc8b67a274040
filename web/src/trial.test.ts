import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble, timedOut } from "./assemble.ts";
import type { PropertyInfo } from "./protocol.ts";
import { spoken } from "./trial.ts";

const info = (id: string, tier: PropertyInfo["tier"]): PropertyInfo => ({ id, tier, title: { en: id, zh: id }, law: { en: id, zh: id } });
const infos = [info("contract", "required"), info("scale", "mastery")];

test("the final verdict is one sentence, mastery another", () => {
  const results = new Map([["contract", timedOut(infos[0]!, "appendEvent")]]);
  const result = assemble({ infos, results, cases: 100, seed: 1, version: "v1" });
  assert.equal(spoken(result, "en"), "1 required property does not hold. First: contract Mastery: 0 of 1 hold.");
});
