import { afterAll } from "vitest";
import { closeLeftOpen } from "./left-open.ts";

// Left open by the worker's previous file, if that failed while it was loaded: no `afterAll` runs then.
await closeLeftOpen();
// Registered before those of the file, and thus called after them.
afterAll(closeLeftOpen);
