// A Storage in memory, for tests.
export function memoryStorage({ full = false, content = {} as Record<string, string> } = {}): () => Storage {
  const map = new Map(Object.entries(content));
  const storage: Storage = {
    get length() {
      return map.size;
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => {
      if (full) throw new Error("QuotaExceededError");
      map.set(key, value);
    },
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  };
  return () => storage;
}
