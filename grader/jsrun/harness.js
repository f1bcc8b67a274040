// The harness stands inside the realm, before the submission does. It binds the submission's functions, executes a
// whole program in one crossing and hands back the transcript as JSON text.
//
// The submission may replace every built-in object. So the harness takes what it needs here, before the submission
// is loaded, reads no property that a prototype could lend (tables have no prototype, lists are walked by index),
// and never decides anything: it only reports what the calls returned. Verdicts are made outside the realm.
//
// The value of this script is a function. It takes the host, { memory, and mark for one who wants to hear of every call }, and
// returns { bind, run, describe, where }.
(function () {
  "use strict";
  const call = Function.prototype.call;
  const uncurry = call.bind.bind(call);
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { defineProperty, getOwnPropertyNames, getPrototypeOf, keys } = Object;
  const objectPrototype = Object.prototype;
  const arrayPrototype = Array.prototype;
  const hasOwn = uncurry(Object.prototype.hasOwnProperty);
  const { apply } = Reflect;
  const StringOf = String;
  const classOf = uncurry(Object.prototype.toString);
  const isPrototypeOf = uncurry(Object.prototype.isPrototypeOf);
  const promisePrototype = Promise.prototype;
  const slice = uncurry(String.prototype.slice);
  const exec = uncurry(RegExp.prototype.exec);
  const MapClass = Map;
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const ErrorClass = Error;
  const DateClass = Date;
  const dateTime = uncurry(Date.prototype.getTime);
  const mapForEach = uncurry(Map.prototype.forEach);
  const SetClass = Set;
  const setAdd = uncurry(Set.prototype.add);
  const setForEach = uncurry(Set.prototype.forEach);
  const mapSize = uncurry(getGetter(Map.prototype, "size"));
  const setSize = uncurry(getGetter(Set.prototype, "size"));
  const globalObject = globalThis;

  function getGetter(prototype, name) {
    return Object.getOwnPropertyDescriptor(prototype, name).get;
  }

  // Data properties only: a setter or a prototype that the submission planted is never run.
  function put(object, key, value) {
    defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }

  function isObject(value) {
    return (typeof value === "object" && value !== null) || typeof value === "function";
  }

  // --- what a browser has and the engine has not -------------------------------------------------------------------

  function dataCloneError(what) {
    const error = new ErrorClass(what + " could not be cloned.");
    put(error, "name", "DataCloneError");
    return error;
  }

  function brand(size, value) {
    try {
      size(value);
      return true;
    } catch {
      return false;
    }
  }

  // The part of the structured clone algorithm that a log of JSON values can meet: primitives, plain objects, arrays,
  // Map, Set, Date, and cycles. Everything else is refused as a browser refuses a function.
  function clone(value, seen) {
    if (typeof value === "symbol" || typeof value === "function") throw dataCloneError(StringOf(typeof value));
    if (typeof value !== "object" || value === null) return value;
    const known = mapGet(seen, value);
    if (known !== undefined) return known;
    let copy;
    if (isArray(value)) {
      copy = [];
      copy.length = value.length;
    } else if (getPrototypeOf(value) === objectPrototype) {
      copy = {}; // the usual case, before the brands are tried, which costs an exception each
    } else if (brand(mapSize, value)) {
      copy = new MapClass();
      mapSet(seen, value, copy);
      mapForEach(value, (v, k) => void mapSet(copy, clone(k, seen), clone(v, seen)));
      return copy;
    } else if (brand(setSize, value)) {
      copy = new SetClass();
      mapSet(seen, value, copy);
      setForEach(value, (v) => void setAdd(copy, clone(v, seen)));
      return copy;
    } else if (brand(dateTime, value)) {
      copy = new DateClass(dateTime(value));
    } else if (isPrototypeOf(promisePrototype, value)) {
      throw dataCloneError("#<Promise>");
    } else {
      copy = {};
    }
    mapSet(seen, value, copy);
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      const item = value[names[i]];
      put(copy, names[i], typeof item === "object" || typeof item === "function" || typeof item === "symbol" ? clone(item, seen) : item);
    }
    return copy;
  }

  // --- the console: kept for the person, bounded in lines and in length ---------------------------------------------

  const maxLines = 100;
  const maxLine = 300;
  const log = { __proto__: null, lines: 0, dropped: 0, text: "" };

  function shown(value) {
    if (typeof value === "string") return value;
    try {
      if (typeof value === "object" && value !== null) {
        const text = stringify(value);
        return text === undefined ? classOf(value) : text;
      }
      if (typeof value === "function") return "[function]";
      return StringOf(value);
    } catch {
      return "[something that cannot be shown]";
    }
  }

  function print(...values) {
    if (log.lines >= maxLines) {
      log.dropped++;
      return;
    }
    let line = "";
    for (let i = 0; i < values.length && line.length < maxLine; i++) {
      line += (i === 0 ? "" : " ") + shown(values[i]);
    }
    if (line.length > maxLine) line = slice(line, 0, maxLine) + "…";
    log.text += (log.lines === 0 ? "" : ",") + stringify(line);
    log.lines++;
  }

  const consoleObject = {};
  const silent = ["assert", "clear", "count", "countReset", "group", "groupCollapsed", "groupEnd", "time", "timeEnd", "timeLog"];
  const loud = ["log", "info", "warn", "error", "debug", "trace", "dir", "table"];
  for (let i = 0; i < silent.length; i++) put(consoleObject, silent[i], () => {});
  for (let i = 0; i < loud.length; i++) put(consoleObject, loud[i], print);

  function define(name, value) {
    defineProperty(globalObject, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
  define("console", consoleObject);
  define("structuredClone", function structuredClone(value) {
    return clone(value, new MapClass());
  });
  // For a CommonJS submission. A submission that declares these names itself shadows them.
  const commonjs = { exports: {} };
  define("module", commonjs);
  define("exports", commonjs.exports);

  // --- telling what came back ---------------------------------------------------------------------------------------

  function text(value) {
    const json = stringify(value);
    return json === undefined ? "null" : json;
  }

  // Whether a value that the harness handed in is still such that JSON.stringify tells the truth of it: no toJSON has been planted, on it or on
  // what it inherits from.
  function honest(value) {
    if (typeof value !== "object" || value === null) return true;
    if (hasOwn(value, "toJSON") && typeof value.toJSON === "function") return false;
    const prototype = getPrototypeOf(value);
    if (prototype !== objectPrototype && prototype !== arrayPrototype) return false;
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      const item = value[names[i]];
      if (typeof item === "object" && item !== null && !honest(item)) return false;
    }
    return true;
  }

  // The JSON of a value that the harness itself handed in, whatever the submission has planted.
  function plain(value) {
    if (typeof value !== "object" || value === null) return text(value);
    if (!hasOwn(objectPrototype, "toJSON") && !hasOwn(arrayPrototype, "toJSON") && honest(value)) return text(value);
    return spelled(value);
  }

  function spelled(value) {
    if (typeof value !== "object" || value === null) return text(value);
    let out = "";
    if (isArray(value)) {
      for (let i = 0; i < value.length; i++) out += (i === 0 ? "" : ",") + spelled(value[i]);
      return "[" + out + "]";
    }
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      const item = value[names[i]];
      if (item === undefined || typeof item === "function" || typeof item === "symbol") continue;
      out += (out === "" ? "" : ",") + stringify(names[i]) + ":" + spelled(item);
    }
    return "{" + out + "}";
  }

  function kindOf(value) {
    if (value === undefined) return "undefined";
    if (typeof value === "number") return value === value ? (value - value === 0 ? "" : StringOf(value)) : "NaN";
    if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean" ? "" : typeof value;
    if (value === null || isArray(value) || getPrototypeOf(value) === objectPrototype) return "";
    if (isPrototypeOf(promisePrototype, value)) return "Promise";
    if (brand(mapSize, value)) return "Map";
    if (brand(setSize, value)) return "Set";
    return "";
  }

  function property(object, name) {
    try {
      return object[name];
    } catch {
      return undefined;
    }
  }

  const place = /solution\.js:(\d+)(?::(\d+))?/;

  // An exception as { name, message, line, column }: whatever was thrown, and however it resists.
  function thrown(error) {
    let name = "";
    let message = "";
    let line = 0;
    let column = 0;
    if (typeof error === "object" && error !== null) {
      const n = property(error, "name");
      const m = property(error, "message");
      if (typeof n === "string") name = slice(n, 0, 100);
      if (typeof m === "string") message = slice(m, 0, 500);
      const stack = property(error, "stack");
      if (typeof stack === "string") {
        const found = exec(place, slice(stack, 0, 5000));
        if (found !== null) {
          line = +found[1];
          column = +(found[2] || 0);
        }
      }
      if (name === "" && message === "") message = slice(shown(error), 0, 500);
    } else {
      name = "";
      message = slice(shown(error), 0, 500);
    }
    return '{"name":' + stringify(name) + ',"message":' + stringify(message) + ',"line":' + line + ',"column":' + column + "}";
  }

  // --- the submission's functions -----------------------------------------------------------------------------------

  const functions = { __proto__: null };

  // Finds each named function among the module's exports, its default export, module.exports, and the global
  // declarations, in this order. Answers { name: "function" | "missing" | another type } and what else was found.
  function bind(namesText, namespace, globals) {
    const names = parse(namesText);
    const places = { __proto__: null, length: 0 };
    const offer = (value) => {
      if (isObject(value)) places[places.length++] = value;
    };
    offer(namespace);
    if (isObject(namespace)) offer(property(namespace, "default"));
    const exported = property(property(globalObject, "module") || commonjs, "exports");
    offer(exported);
    if (isObject(exported)) offer(property(exported, "default"));
    offer(commonjs.exports);
    offer(globals);
    let out = "{";
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      let kind = "missing";
      for (let p = 0; p < places.length; p++) {
        const value = property(places[p], name);
        if (value === undefined) continue;
        kind = typeof value;
        if (kind === "function") {
          // A function of an exported object is called as its method, as whoever imports the object would.
          const owner = places[p];
          functions[name] = owner === namespace || owner === globals ? value : (...args) => apply(value, owner, args);
          break;
        }
      }
      out += (i === 0 ? "" : ",") + stringify(name) + ":" + stringify(kind);
    }
    let others = "";
    for (let p = 0; p < places.length; p++) {
      let own = [];
      try {
        own = getOwnPropertyNames(places[p]);
      } catch {
        continue;
      }
      for (let i = 0; i < own.length && i < 50; i++) others += (others === "" ? "" : ",") + stringify(own[i]);
    }
    return '{"functions":' + out + '},"names":[' + others + "]}";
  }

  // --- running a program ----------------------------------------------------------------------------------------------

  // Follows a path of keys to the object that holds its last key.
  function holder(root, path) {
    let at = root;
    for (let i = 0; i < path.length - 1; i++) at = at[path[i]];
    return at;
  }

  // What a stranger does to a value that he holds: assigns, appends. Assignments go by ordinary strict-mode rules, so a frozen
  // value answers with its TypeError.
  const verbs = {
    __proto__: null,
    value: (literal) => literal,
    look: (value) => value,
    set: (root, path, value) => {
      const object = holder(root, path);
      const key = path[path.length - 1];
      if (key === "__proto__") put(object, key, value);
      else object[key] = value;
    },
    push: (root, path, value) => {
      let list = root;
      for (let i = 0; i < path.length; i++) list = list[path[i]];
      list[list.length] = value;
    },
  };

  function setup(host) {
    const { mark, memory } = host;
    let at = -1; // the call under way

    // A call is a list: function, shape of the result, then two entries an argument: the number of the call that it refers to, or -1 and
    // the literal. The usual cases are written out, since this loop is where the time goes.
    function perform(fn, call, results) {
      switch (call.length) {
        case 2:
          return fn();
        case 4:
          return fn(call[2] < 0 ? call[3] : results[call[2]]);
        case 6:
          return fn(call[2] < 0 ? call[3] : results[call[2]], call[4] < 0 ? call[5] : results[call[4]]);
      }
      return fn(
        call[2] < 0 ? call[3] : results[call[2]],
        call[4] < 0 ? call[5] : results[call[4]],
        call[6] < 0 ? call[7] : results[call[6]],
      );
    }

    // The shapes of results, as property.Shape numbers them.
    const opaque = 0;
    const asPlain = 2;
    const nothing = 3;

    // What one call came to, as JSON behind a comma. Only data is read here; what the submission returned is taken as it is.
    function told(shape, value) {
      if (shape === nothing) return ",{}";
      try {
        if (shape === opaque) {
          // Not instanceof, which asks Promise[Symbol.hasInstance].
          return typeof value === "object" && isPrototypeOf(promisePrototype, value) ? ',{"kind":"Promise"}' : ",{}";
        }
        const kind = isArray(value) ? "" : kindOf(value);
        if (kind !== "") return ',{"kind":' + stringify(kind) + "}";
        return ',{"value":' + (shape === asPlain ? plain(value) : text(value)) + "}";
      } catch (error) {
        return ',{"unreadable":' + thrown(error) + "}";
      }
    }

    // A program is a pair: the names of the functions that it calls, and its calls, which name them by number.
    function run(programText) {
      const program = parse(programText);
      const names = program[0];
      const calls = program[1];
      const table = { __proto__: null };
      for (let i = 0; i < names.length; i++) {
        table[i] = names[i] === "memory" ? memory : functions[names[i]] || verbs[names[i]];
      }
      const results = { __proto__: null };
      log.lines = 0;
      log.dropped = 0;
      log.text = "";
      let out = "";
      for (let i = 0; i < calls.length; i++) {
        const call = calls[i];
        const fn = table[call[0]];
        at = i;
        if (mark !== undefined) mark();
        if (fn === undefined) {
          out += ',{"kind":"missing"}';
          continue;
        }
        try {
          results[i] = perform(fn, call, results);
        } catch (error) {
          out += ',{"threw":' + thrown(error) + "}";
          continue;
        }
        out += told(call[1], results[i]);
      }
      return '{"steps":[' + slice(out, 1) + '],"console":[' + log.text + '],"dropped":' + log.dropped + "}";
    }

    // The number of the call under way; asked when a run was ended from outside.
    function where() {
      return StringOf(at);
    }

    return { __proto__: null, bind, run, describe: thrown, where };
  }

  return setup;
})();
