// Every sentence that the page itself says, in each of its languages. What the log holds is shown as it is.

const en = {
  "page": "Sessions · Forget-Me-Not",
  "where": "what the agent remembers",
  "sessions": "Sessions",
  "name": "Name of a new session",
  "name.hint": "Name (optional)",
  "create": "New session",
  "more": "Show more",
  "leave": "‹ Sessions",
  "count": (/** @type {number} */ n) => (n === 1 ? "1 event" : `${n} events`),

  "none": "Nothing is remembered yet. Make a session and say something: whatever happens in it becomes an event, and stays.",
  "choose": "Choose a session to see what it holds.",
  "empty": "This session has no events yet. Your first message will be its first.",
  "log": "The whole log",

  "connecting": "○ connecting…",
  "live": "● live",
  "lost": "○ connection lost…",
  "unreachable": "The service cannot be reached.",
  "refused": (/** @type {string} */ message, /** @type {string} */ mend) => `${message}: ${mend}.`,

  "replay": "Replay",
  "back": "One event back",
  "forth": "One event forth",
  "newest": "Newest",
  "place": (/** @type {number} */ shown, /** @type {number} */ all, /** @type {number} */ id) =>
    `${shown} of ${all === 1 ? "1 event" : `${all} events`}${id > 0 ? `, up to event ${id}` : ""}`,
  "views": "What is shown",
  "messages": "Messages",
  "events": "Events",
  "messages.title": "Messages: what was said and done",
  "events.title": "Events: what is stored",
  "earlier": (/** @type {number} */ n) => `${n} earlier ones are not shown here. Step back to see them.`,
  "replay.to": (/** @type {number} */ id) => `Replay up to event ${id}`,

  "user": "You",
  "assistant": "Agent",
  "call": (/** @type {string} */ name) => `Agent calls ${name}`,
  "result": "Tool answers",
  "open": "○ no answer yet",
  "answered": (/** @type {number} */ id) => `✓ answered by event ${id}`,
  "orphan": "! answers no open call",

  "legend.user": "you",
  "legend.assistant": "agent",
  "legend.call": "tool call",
  "legend.result": "result",
  "legend.run": "steps",
  "legend.other": "other",
  "picture": (/** @type {number} */ events, /** @type {number} */ lanes) =>
    `Picture of the log: ${events === 1 ? "1 event" : `${events} events`} in ${lanes === 1 ? "1 lane" : `${lanes} lanes`}, one for each session, time to the right.`,
  "lane": (/** @type {string} */ session, /** @type {string} */ ids) => `${session}: ${ids}.`,
  "others": (/** @type {number} */ n) => (n === 1 ? "1 other session" : `${n} other sessions`),

  "content": "Your message",
  "example": "How many open orders are there?",
  "send": "Send",
  "running": "The turn is running…",
  "unsent": "The connection broke before there was an answer. Your message is still here: send it again when the page is live. If it did arrive, it is not said twice.",
};

/** @type {typeof en} */
const zh = {
  "page": "会话 · Forget-Me-Not",
  "where": "智能体记得的一切",
  "sessions": "会话",
  "name": "新会话的名称",
  "name.hint": "名称（可不填）",
  "create": "新建会话",
  "more": "显示更多",
  "leave": "‹ 会话",
  "count": (n) => `${n} 个事件`,

  "none": "还没有任何记忆。新建一个会话，说点什么：发生的每件事都会成为一个事件，并一直保留。",
  "choose": "选择一个会话，看看里面有什么。",
  "empty": "这个会话还没有事件。你的第一条消息就是它的第一个事件。",
  "log": "整个日志",

  "connecting": "○ 正在连接…",
  "live": "● 实时",
  "lost": "○ 连接断开，正在重试…",
  "unreachable": "连不上服务。",
  "refused": (message, mend) => `服务回答：${message}: ${mend}`,

  "replay": "回放",
  "back": "后退一个事件",
  "forth": "前进一个事件",
  "newest": "最新",
  "place": (shown, all, id) => `${all} 个事件中的 ${shown} 个${id > 0 ? `，到事件 ${id} 为止` : ""}`,
  "views": "显示什么",
  "messages": "消息",
  "events": "事件",
  "messages.title": "消息：说了什么，做了什么",
  "events.title": "事件：存下来的",
  "earlier": (n) => `更早的 ${n} 个没有显示。后退即可看到。`,
  "replay.to": (id) => `回放到事件 ${id}`,

  "user": "你",
  "assistant": "智能体",
  "call": (name) => `智能体调用 ${name}`,
  "result": "工具的回答",
  "open": "○ 还没有回答",
  "answered": (id) => `✓ 由事件 ${id} 回答`,
  "orphan": "! 没有对应的调用",

  "legend.user": "你",
  "legend.assistant": "智能体",
  "legend.call": "工具调用",
  "legend.result": "结果",
  "legend.run": "步骤",
  "legend.other": "其他",
  "picture": (events, lanes) => `日志的图：${events} 个事件，${lanes} 条泳道，每个会话一条，时间向右。`,
  "lane": (session, ids) => `${session}：${ids}。`,
  "others": (n) => `另外 ${n} 个会话`,

  "content": "你的消息",
  "example": "How many open orders are there?",
  "send": "发送",
  "running": "这一轮正在进行…",
  "unsent": "还没收到回答，连接就断了。你的消息还在这里：等页面恢复实时后再发一次。即使它已经到达，也不会说两遍。",
};

/** The catalogues, by the primary subtag of their language. */
export const catalogues = { en, zh };

/** The first language that the browser asks for and we have. @param {readonly string[]} wanted @returns {"en" | "zh"} */
export function pickLanguage(wanted) {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split("-")[0];
    if (primary === "en" || primary === "zh") return primary;
  }
  return "en";
}

/**
 * Fills every element that names a text: its content by data-words, its accessible name by data-words-label, its placeholder by data-words-hint.
 * @param {Document} page @param {"en" | "zh"} language
 */
export function fillWords(page, language) {
  const texts = catalogues[language];
  const of = (/** @type {string | undefined} */ key) => String(texts[/** @type {keyof typeof en} */ (key)]);
  page.documentElement.lang = language === "zh" ? "zh-CN" : language;
  page.title = texts.page;
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-words]"))) e.textContent = of(e.dataset.words);
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-words-label]"))) e.setAttribute("aria-label", of(e.dataset.wordsLabel));
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-words-hint]"))) e.setAttribute("placeholder", of(e.dataset.wordsHint));
}
