// The browser's own storage, which may be full, forbidden or full of someone else's texts. Nothing here throws.

export interface Store {
  read(key: string): string | null;
  /** False when the browser did not keep it. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): string[];
}

const PREFIX = "forgetmenot:";

/** Wraps a Storage, which may be missing: reading window.localStorage itself can throw. */
export function storeOn(get: () => Storage | undefined): Store {
  const attempt = <T>(otherwise: T, use: (storage: Storage) => T): T => {
    try {
      const storage = get();
      return storage ? use(storage) : otherwise;
    } catch {
      return otherwise;
    }
  };
  return {
    read: (key) => attempt(null, (s) => s.getItem(PREFIX + key)),
    write: (key, value) =>
      attempt(false, (s) => {
        s.setItem(PREFIX + key, value);
        return true;
      }),
    remove: (key) => attempt(undefined, (s) => s.removeItem(PREFIX + key)),
    keys: () =>
      attempt([] as string[], (s) =>
        Array.from({ length: s.length }, (_, i) => s.key(i) ?? "")
          .filter((key) => key.startsWith(PREFIX))
          .map((key) => key.slice(PREFIX.length)),
      ),
  };
}

/** The key under which a `storage` event's change lies, or null when it is not ours. */
export function ownKey(key: string | null): string | null {
  return key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : null;
}

/** Parses what may be anything at all. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
