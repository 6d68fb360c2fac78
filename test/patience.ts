/**
 * How long (ms) a test waits for what has to come. It comes at once; only a machine that stands still for as long makes a
 * test fail. How fast things are is measured in `bench/`.
 */
export const patienceMs = 60_000;

/**
 * How long for what a change has to reach by its news: less than the change feed's heartbeat (10 s) and the age at which
 * a cached page is made anew (60 s), which would bring it there in the end.
 */
export const soon = { timeout: 5_000 };
