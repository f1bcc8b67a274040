// The agent service's page, on a real service that is killed and started again while the page is open.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Request } from "playwright-core";
import { assertTrue, between, differences, message, openService, rig, type Service, shownEvents } from "./service.ts";

const orders = "How many open orders are there?";
const reply = "There are 7 open orders.";

const { launched, start } = rig();

const link = (page: Page, text: string) => page.locator("#link").filter({ hasText: text }).waitFor();
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const listed = (page: Page) => page.locator("#events > .event").evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset["event"])));

async function say(page: Page, text: string): Promise<void> {
  await page.locator("#content").fill(text);
  await page.locator("#send").click();
}

test("what the page is held against the log with finds whatever can be wrong", () => {
  const stored = [1, 2, 5].map((eventId) => ({ eventId, sessionId: "a", type: "note", payload: { n: eventId } }));
  const [one, two, five] = stored as [(typeof stored)[0], (typeof stored)[0], (typeof stored)[0]];
  assert.deepEqual(differences(stored, stored), []);
  assert.deepEqual(differences([one, five], stored), ["event 2 is missing"]);
  assert.deepEqual(differences([one, two, two, five], stored), ["event 2 is there twice"]);
  assert.deepEqual(differences([one, five, two], stored), ["event 2 comes after event 5"]);
  assert.deepEqual(differences([one, two, five, { ...five, eventId: 6 }], stored), ["event 6 is not in the log"]);
  assert.deepEqual(differences([one, { ...two, payload: { n: 3 } }, five], stored), ["event 2 is not as it is in the log"]);
  assert.deepEqual(differences([one, two, { ...five, type: "Note" }], stored), ["event 5 is not as it is in the log"]);
});

test("by keyboard alone: a session, a message, its answer as it comes, and a replay of it", async () => {
  const service = await start();
  const { page, context, seen } = await openService(launched(), service);
  await page.getByText("Nothing is remembered yet").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Orders");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Orders" }).waitFor();
  await page.keyboard.type(orders); // the focus went there
  await page.keyboard.press("Enter");
  await message(page, reply).waitFor();
  await page.locator("#send:enabled").waitFor();
  assert.equal(await page.locator("#content").inputValue(), "");
  const [session = ""] = await sessions(service);
  await assertTrue(page, service, session);
  const types = (await service.events(session)).map((e) => e.type);
  const call = types.indexOf("tool_call") + 1;
  const result = types.indexOf("tool_result") + 1;
  assert.deepEqual(await page.locator("#messages .state").allTextContents(), [`✓ answered by event ${result}`, ""]);

  await page.locator("#step").focus();
  for (let step = types.length; step > call; step--) await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await listed(page), upTo(call));
  assert.equal(await page.locator("#place").innerText(), `${call} of ${types.length} events, up to event ${call}`);
  assert.deepEqual(await page.locator("#messages .state").allTextContents(), ["○ no answer yet"], "as it was then");
  assert.equal(await page.locator("svg .to-come").count(), types.length - call);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await listed(page), upTo(call + 1));
  await page.keyboard.press("Home");
  assert.deepEqual(await listed(page), []);

  // The place does not move while events come, until somebody asks for the newest.
  await service.say(session, "hello");
  await page.locator("#place").filter({ hasText: `0 of ${(await service.events(session)).length} events` }).waitFor();
  await page.locator("#live").press("Enter");
  await assertTrue(page, service, session);
  await page.locator("#events .mark").first().press("Enter");
  assert.deepEqual(await listed(page), [1]);
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

async function sessions(service: Service): Promise<string[]> {
  const answer = (await (await fetch(new URL("/sessions", service.url))).json()) as { sessions: { id: string }[] };
  return answer.sessions.map((s) => s.id);
}

test("a service that is killed and started again: the page says so, comes back by itself and has missed nothing", async () => {
  const service = await start();
  await service.session("a", "First");
  await service.session("b", "Second");
  await service.say("a", orders);
  const { page, context, seen } = await openService(launched(), service, {}, "a");
  await say(page, "hello");
  await message(page, "This is message 2 of yours").waitFor();
  await page.locator("#send:enabled").waitFor();
  await assertTrue(page, service, "a");
  const cursor = (await service.events("a")).at(-1)?.eventId;
  const connections: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/events?after=")) connections.push(request);
  });

  await service.kill();
  await link(page, "connection lost");
  await say(page, "Are you there?");
  await page.locator("#sending.failed").filter({ hasText: "Your message is still here" }).waitFor();
  assert.equal(await page.locator("#content").inputValue(), "Are you there?");
  // A session that nobody has read yet, of a service that is not there.
  await page.locator('[data-session="b"] button').click();
  await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor();
  assert.equal(await page.locator("#content").inputValue(), "");
  // What the page cannot have seen.
  service.append("b", "note", { "made while": "nobody served" });
  service.append("a", "note", { text: "<b>x</b>", n: [1, { "": null }] });
  service.append("b", "user_message", { content: orders });

  await service.start(); // and finishes the turn that it finds
  await service.say("b", "hello");
  await link(page, "live");
  await assertTrue(page, service, "b");
  assert.equal(await page.locator("#trouble").isVisible(), false);
  assert.equal((await connections.at(-1)?.allHeaders())?.["last-event-id"], String(cursor), "the browser went on behind the last event that it had seen");
  assert.ok((await service.events("b")).some((e) => e.type === "assistant_message"), "the turn was finished");
  await page.locator('[data-session="a"] button').click();
  await assertTrue(page, service, "a");
  assert.equal(await page.locator('[data-session="a"] .count').innerText(), String((await service.events("a")).length));

  assert.equal(await page.locator("#content").inputValue(), "Are you there?", "the text was kept for its session");
  await page.locator("#send").click();
  await message(page, "This is message 3 of yours").waitFor();
  await page.locator("#send:enabled").waitFor();
  await assertTrue(page, service, "a");
  // The connections that broke, and those that nobody accepted.
  const expected = /ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/;
  assert.deepEqual(seen.troubles.filter((trouble) => !expected.test(trouble)), []);
  await context.close();
});

test("the page stays where it is across a restart, and the events it missed come in behind", async () => {
  const service = await start();
  await service.session("a");
  await service.say("a", orders);
  const { page, context } = await openService(launched(), service, {}, "a");
  await message(page, reply).waitFor();
  await page.locator("#back").click();
  await service.kill();
  await link(page, "connection lost");
  for (let n = 0; n < 3; n++) service.append("a", "note", { n });
  await service.start();
  const stored = await service.events("a");
  await page.locator("#place").filter({ hasText: `${stored.length - 4} of ${stored.length} events` }).waitFor();
  await page.locator("#live").click();
  await assertTrue(page, service, "a");
  await context.close();
});

test("a stream that repeats changes nothing", async () => {
  const service = await start();
  await service.session("a");
  await service.say("a", orders);
  const proxy = await between(service, () => 0);
  const { page, context } = await openService(launched(), proxy, {}, "a");
  await message(page, reply).waitFor();
  await service.kill();
  await link(page, "connection lost");
  service.append("a", "note", {});
  await service.start();
  const stored = await service.events("a");
  await page.locator(`#events > [data-event="${stored.length}"]`).waitFor();
  await assertTrue(page, service, "a");
  assert.equal(await page.locator('[data-session="a"] .count').innerText(), String(stored.length));
  await context.close();
  proxy.close();
});

test("these tests notice a stream that begins too late", async () => {
  const service = await start();
  await service.session("a");
  await service.say("a", orders);
  const proxy = await between(service, (cursor) => cursor + 1);
  const { page, context } = await openService(launched(), proxy, {}, "a");
  await message(page, reply).waitFor();
  await service.kill();
  await link(page, "connection lost");
  for (let n = 0; n < 3; n++) service.append("a", "note", { n });
  await service.start();
  const stored = await service.events("a");
  await page.locator(`#events > [data-event="${stored.length}"]`).waitFor();
  assert.deepEqual(differences(await shownEvents(page), stored), [`event ${stored.length - 2} is missing`]);
  await context.close();
  proxy.close();
});

test("a message whose answer got lost is not said twice", async () => {
  const service = await start();
  await service.session("a");
  const { page, context } = await openService(launched(), service, {}, "a");
  const keys: (string | undefined)[] = [];
  await page.route("**/messages", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await say(page, orders);
  await page.locator("#sending.failed").waitFor();
  await message(page, reply).waitFor();
  assert.equal(await page.locator("#content").inputValue(), orders);
  await page.locator("#send").click();
  await page.locator("#sending:not(.failed)").filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  assert.equal(await page.locator("#content").inputValue(), "");
  assert.equal(keys.length, 2);
  assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/);
  assert.equal(keys[1], keys[0]);
  const said = async () => (await service.events("a")).filter((e) => e.type === "user_message").length;
  assert.equal(await said(), 1);
  await assertTrue(page, service, "a");

  await say(page, orders); // the same words, meant a second time
  await message(page, reply).nth(1).waitFor();
  assert.equal(await said(), 2);
  assert.notEqual(keys[2], keys[0]);
  await context.close();
});

test("a refusal is said in the service's words", async () => {
  const service = await start();
  await service.session("a");
  const { page, context } = await openService(launched(), service, {}, "a");
  const error = { code: "too_many_waiting", message: "too many messages wait", mend: "wait for the <b>answers</b>" };
  await page.route("**/messages", (route) => route.fulfill({ status: 429, json: { error } }));
  await say(page, orders);
  await page.locator("#sending.failed").filter({ hasText: "too many messages wait: wait for the <b>answers</b>." }).waitFor();
  assert.equal(await page.locator("#content").inputValue(), orders);
  await context.close();

  const nobody = await openService(launched(), service, {}, "nobody");
  await nobody.page.getByRole("alert").filter({ hasText: "create it with POST /sessions" }).waitFor();
  await nobody.page.locator("#sessions .choose").click();
  await nobody.page.getByRole("alert").waitFor({ state: "hidden" });
  await nobody.context.close();
});
