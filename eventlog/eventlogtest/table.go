package eventlogtest

import "forgetmenot/grader/property"

// Properties is the table of laws, in the order in which a learner meets them.
func Properties() []*property.Property {
	rows := make([]*property.Property, len(table))
	for i := range table {
		row := table[i]
		row.Valid, row.Smaller = valid, smaller
		rows[i] = &row
	}
	return rows
}

var table = []property.Property{
	{
		ID: "contract", Tier: property.Required, Draw: drawContract, Check: checkContract,
		Title: words{En: "The five functions answer with the right kind of value", Zh: "五个函数返回正确类型的值"},
		Law:   words{En: "The five functions exist and answer with the right kind of value, for an empty log and an unknown session too.", Zh: "五个函数都存在，并返回正确类型的值，空日志和未知会话也不例外。"},
	},
	{
		ID: "append", Tier: property.Required, Draw: drawAppend, Check: checkAppend,
		Title: words{En: "Appending adds one event and keeps all the others", Zh: "追加一个事件，其余事件保持不变"},
		Law:   words{En: "The new log holds every earlier event of every session unchanged, its id too, and then the new one with its sessionId, type and payload as given, whatever the type.", Zh: "新日志原样保留每个会话之前的所有事件（包括编号），然后是新事件，其 sessionId、type 和 payload 与传入时一致，不论类型是什么。"},
	},
	{
		ID: "immutability", Tier: property.Required, Draw: drawImmutability, Check: checkImmutability,
		Title: words{En: "An older log value stays as it was", Zh: "旧的日志值保持原样"},
		Law:   words{En: "A log value answers every question the same, however many events are appended to it or to its descendants, in one line or in forks.", Zh: "无论向某个日志值或它的后代追加多少事件，无论是一条线还是分叉，它对每个问题的回答都不变。"},
	},
	{
		ID: "isolation", Tier: property.Required, Draw: drawIsolation, Check: checkIsolation,
		Title: words{En: "Sessions never mix", Zh: "会话之间互不混淆"},
		Law:   words{En: "A session's events and messages are exactly its own, also for ids that are easily confused.", Zh: "一个会话的事件和消息恰好是它自己的，即使会话编号很容易混淆。"},
	},
	{
		ID: "monotonic-ids", Tier: property.Required, Draw: drawIDs, Check: checkIDs,
		Title: words{En: "Event ids grow over the whole log", Zh: "事件编号在整个日志中递增"},
		Law:   words{En: "Ids are integers, at least 1, strictly increasing in append order over all sessions. Gaps are allowed.", Zh: "编号是不小于 1 的整数，按追加顺序在所有会话中严格递增，允许有空缺。"},
	},
	{
		ID: "sessions", Tier: property.Required, Draw: drawSessions, Check: checkSessions,
		Title: words{En: "Sessions are listed once, in order of appearance", Zh: "每个会话列出一次，按首次出现的顺序"},
		Law:   words{En: "Each session is listed once, in the order of its first event, ids that look like integers included.", Zh: "每个会话只列出一次，按第一个事件出现的顺序排列，看起来像整数的编号也不例外。"},
	},
	{
		ID: "replay", Tier: property.Required, Draw: drawReplay, Check: checkReplay,
		Title: words{En: "Replay folds events into messages, one for one", Zh: "重放把事件逐一折叠成消息"},
		Law:   words{En: "Replaying a session gives exactly the messages that the fold of its events makes, in order, with exactly their keys.", Zh: "重放一个会话，得到的正是它的事件按顺序折叠出的消息，键也完全一致。"},
	},
	{
		ID: "independence", Tier: property.Required, Draw: drawIndependence, Check: checkIndependence,
		Title: words{En: "Logs do not influence each other", Zh: "日志之间互不影响"},
		Law:   words{En: "Logs from two createEventLog() calls, and two logs grown from one ancestor, never influence each other.", Zh: "两次 createEventLog() 得到的日志，以及从同一个祖先分出的两个日志，互不影响。"},
	},
	{
		ID: "purity", Tier: property.Required, Draw: drawPurity, Check: checkPurity,
		Title: words{En: "The same calls give the same answers", Zh: "同样的调用得到同样的回答"},
		Law:   words{En: "The same calls give the same answers again, ids included, and arguments come back as they were given.", Zh: "同样的调用再次得到同样的回答（包括编号），传入的参数保持原样。"},
	},
	{
		ID: "tamper-proof", Tier: property.Mastery, Draw: drawTamper, Check: checkTamper,
		Title: words{En: "Nobody changes history from outside", Zh: "没有人能从外部改变历史"},
		Law:   words{En: "History does not change when somebody changes the event that was handed in, or anything that a function answered with; and the event handed in is not frozen.", Zh: "即使有人修改传入的事件，或修改函数返回的任何值，历史都不会改变；传入的事件也没有被冻结。"},
	},
	{
		ID: "hostile-names", Tier: property.Mastery, Draw: drawHostile, Check: checkHostile,
		Title: words{En: "Names like __proto__ are names like any other", Zh: "__proto__ 之类的名字与其他名字无异"},
		Law:   words{En: "__proto__, constructor, toString and their kind are session ids, types, call ids and payload keys like any other.", Zh: "__proto__、constructor、toString 之类的名字，作为会话编号、类型、调用编号和 payload 的键，与其他名字无异。"},
	},
	{
		ID: "scale", Tier: property.Mastery, Draw: drawScale, Check: checkScale, Every: 50, Fixed: true, Show: showScale, OutOfMemory: scaleOutOfMemory,
		Title: words{En: "Keeping every version is cheap", Zh: "保留每个版本的代价很小"},
		Law:   words{En: "Keeping every version of a long log costs memory in proportion to its events, not to their square.", Zh: "保留一个长日志的每个版本，占用的内存与事件数成正比，而不是与其平方成正比。"},
	},
}
