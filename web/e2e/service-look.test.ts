// The agent service's page for everybody: whatever the names, however long the session, on a phone, in the dark, in Chinese.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { phone } from "./browser.ts";
import { assertTrue, differences, message, openService, rig, shownEvents, type StoredEvent } from "./service.ts";

const orders = "How many open orders are there?";
const reply = "There are 7 open orders.";

const { launched, start } = rig();

test("names and texts in odd letters are text", async () => {
  const service = await start();
  const names = ["<b>x</b>", "__proto__", "订单 查询", "...", "a/b?c#d", "a&b%2F;c", `long-${"x".repeat(400)}`, "<img src=x onerror=alert(1)>", "\u202eabc", "constructor"];
  for (const name of names) {
    await service.session(name);
    await service.say(name, `${name} </p><script>alert(1)</script>`);
  }
  service.append("..", "note", {}, "--create");
  service.append("__proto__", "<i>type</i>", { "__proto__": "<i>x</i>", "n": 1 });
  const { page, context, seen } = await openService(launched(), service);
  await page.locator("#sessions .choose").nth(names.length).waitFor();
  assert.deepEqual((await page.locator("#sessions .name").allTextContents()).sort(), [...names, ".."].sort());
  for (const name of names) {
    await page.locator("#sessions .choose").filter({ has: page.getByText(name, { exact: true }) }).click();
    await message(page, `${name} </p><script>alert(1)</script>`).first().waitFor();
    assert.equal(await page.locator("#title").textContent(), name);
    await assertTrue(page, service, name);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1440);
  }
  assert.equal(await page.locator("main b, main i, nav img, main script").count(), 0);
  await page.locator("#sessions .choose").filter({ has: page.getByText("..", { exact: true }) }).click();
  await page.getByRole("alert").filter({ hasText: 'a browser cannot ask for the session ".."' }).waitFor();
  await page.locator("#sessions .choose").filter({ has: page.getByText("constructor", { exact: true }) }).click();
  await page.reload();
  await page.getByRole("heading", { name: "constructor" }).waitFor();
  await page.goBack();
  await page.goBack(); // over the one that cannot be asked for, to the last but one of the list
  await page.goBack();
  await page.locator("#title").filter({ hasText: "abc" }).waitFor();
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

test("the picture has a lane for each session, and its marks lead to their events", async () => {
  const service = await start();
  for (const id of ["a", "b"]) {
    await service.session(id);
    await service.say(id, orders);
  }
  const { page, context } = await openService(launched(), service, {}, "a");
  await message(page, reply).waitFor();
  const first = await service.events("a");
  const second = await service.events("b");
  const told = `a: ${first.map((e) => e.eventId).join(", ")}. b: ${second.map((e) => e.eventId).join(", ")}.`;
  const picture = page.getByRole("img", { name: `Picture of the log: ${first.length + second.length} events in 2 lanes` });
  await picture.waitFor();
  assert.ok((await picture.getAttribute("aria-label"))?.endsWith(told));
  const call = second.find((e) => e.type === "tool_call");
  await picture.locator("g.mark", { has: page.locator(`title:text-is("${call?.eventId} tool_call")`) }).click();
  await page.locator("#title").filter({ hasText: "b" }).waitFor();
  const place = second.findIndex((e) => e === call) + 1;
  await page.locator("#place").filter({ hasText: `${place} of ${second.length} events, up to event ${call?.eventId}` }).waitFor();
  await page.locator(`svg .ring + rect + text:text-is("${call?.eventId}")`).waitFor();
  await context.close();
});

test("a long session stays quick, and says what it does not show", async () => {
  const service = await start();
  await service.session("long");
  let all: StoredEvent[] = [];
  for (; all.length <= 500; all = await service.events("long")) for (let n = 0; n < 20; n++) await service.say("long", orders);
  const { page, context } = await openService(launched(), service, {}, "long");
  await page.locator("#place").filter({ hasText: `${all.length} of ${all.length} events` }).waitFor();
  assert.equal(await page.locator("#events > .event").count(), 500);
  await page.locator("#events").getByText(`${all.length - 500} earlier ones are not shown here`).waitFor({ state: "attached" });
  assert.ok(await page.locator("#events > .event").last().isVisible());
  assert.ok(await page.locator("#events-column").evaluate((column) => column.scrollTop + column.clientHeight >= column.scrollHeight - 2));
  await page.locator("#step").fill("60");
  assert.deepEqual(differences(await shownEvents(page), all.slice(0, 60)), []);
  await context.close();
});

const looks: [string, BrowserContextOptions, typing: string][] = [
  ["desktop, light, English", {}, "Your message"],
  ["phone, dark, Chinese", { ...phone, colorScheme: "dark", locale: "zh-CN" }, "你的消息"],
];

test("axe finds nothing, whatever the page looks like, and a phone has all in reach", async () => {
  const service = await start();
  for (const [name, options, label] of looks) {
    const { page, context, seen } = await openService(launched(), service, options);
    await assertAccessible(page, `${name}: at the start`);
    await page.locator("#create button").click();
    await page.getByLabel(label).fill(orders);
    await page.locator("#send").click();
    await message(page, reply).waitFor();
    await assertAccessible(page, `${name}: a session`);
    if (options.isMobile) {
      for (const part of ["#leave", "#send", "#back", "#live", "#view-events"]) {
        const box = await page.locator(part).boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= 844 && box.x + box.width <= 390 && box.height >= 44, part);
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      await page.locator("#view-events").tap();
    }
    await page.locator("#events summary").first().click();
    await page.locator("#back").click();
    await assertAccessible(page, `${name}: a replay`);
    assert.deepEqual(seen.troubles, []);
    if (options.isMobile) {
      await page.locator("#leave").tap();
      assert.ok(await page.locator("#sessions .choose").first().isVisible());
      await page.locator("#sessions .choose").first().tap();
    }
    await service.kill();
    await page.locator("#link.lost").waitFor();
    await page.getByLabel(label).fill(orders);
    await page.locator("#send").click();
    await page.locator("#sending.failed").waitFor();
    await assertAccessible(page, `${name}: without a connection`);
    await context.close();
    await service.start();
  }
});
