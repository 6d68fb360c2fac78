type Kind = "local" | "session";

/**
 * What this browser (`local`) or this tab (`session`) has stored under a key. Null: nothing. Undefined: storage cannot
 * be read, as in some private modes.
 */
export function readStored(kind: Kind, key: string): string | null | undefined {
  try {
    return storageOf(kind).getItem(key);
  } catch {
    return undefined;
  }
}

/** Stores a text, or with null deletes it. False where storage is full or forbidden: then it lasts as long as the page. */
export function store(kind: Kind, key: string, text: string | null): boolean {
  try {
    if (text === null) storageOf(kind).removeItem(key);
    else storageOf(kind).setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** What was stored with `storeJson`, to be checked by the caller; null where there is nothing that can be read. */
export function readStoredJson(kind: Kind, key: string): unknown {
  try {
    return JSON.parse(readStored(kind, key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value as JSON, or with null deletes it. */
export function storeJson(kind: Kind, key: string, value: unknown): boolean {
  return store(kind, key, value === null ? null : JSON.stringify(value));
}

function storageOf(kind: Kind): Storage {
  return kind === "local" ? localStorage : sessionStorage;
}
