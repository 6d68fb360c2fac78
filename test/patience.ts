/**
 * Timeout (ms) of tests that wait for a result. Results normally come immediately, so only a machine that stalls for as long
 * makes a test fail. Performance is measured in `bench/`.
 */
export const patienceMs = 60_000;

/**
 * Timeout for effects of the change feed: less than its heartbeat (10 s) and the age at which cached pages are rendered
 * again (60 s), either of which would hide a lost notification.
 */
export const soon = { timeout: 5_000 };
