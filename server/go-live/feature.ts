import type { Feature } from "../feature.ts";
import { sandboxSecret } from "../payments/providers.ts";
import { doctorApi } from "./api.ts";
import { doctorParts } from "./open.ts";

/** How long the go-live check waits for the event that it asked for. */
const webhookPatienceMs = 20_000;

export const goLiveFeature = {
  api: (ctx) =>
    doctorApi({ ...doctorParts(ctx), sandboxSecret: sandboxSecret(ctx), patienceMs: webhookPatienceMs }),
} satisfies Feature;
