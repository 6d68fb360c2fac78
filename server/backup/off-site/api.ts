import * as v from "valibot";
import {
  type BucketSettings,
  type OffSite,
  offSiteFormSchema,
  offSiteSchema,
  passphraseFormSchema,
} from "../../../domain/backup/off-site.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import {
  confirmPassphrase,
  type Destination,
  makePassphrase,
  readDestination,
  readState,
  removeDestination,
  saveDestination,
} from "./destination.ts";

/** The settings without the secret, with the whole key id for the form. */
const publicPart = ({ secretAccessKey: _, ...bucket }: BucketSettings) => bucket;

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;
const state = { response: dataEnvelope(offSiteSchema) } as const;
const responses = {
  200: "The state of the off-site backups, without secrets",
  409: "`invalid_state`: changed by somebody else since `version`, or set by the environment; nothing was stored",
  422: "`validation_failed`: the service refuses them; nothing was stored",
  502: "`provider_unavailable`: the bucket could not be reached; nothing was stored",
  503: "`not_configured`: there is no key to encrypt with",
};

export const offSiteApi = [
  route("GET /api/admin/off-site", {
    ...shared,
    ...state,
    summary: "The bucket for off-site backups, and what is in it",
    responses: { 200: responses[200] },
    handle: async (ctx) => ok(await readOffSite(ctx)),
  }),
  route("PUT /api/admin/off-site", {
    ...shared,
    ...state,
    summary:
      "Try a bucket by writing, reading, listing and deleting a small file, and upload backups to it from now on",
    limit: "checkout",
    confirm: "The destination of off-site backups is changed",
    body: offSiteFormSchema,
    responses,
    handle: async (ctx, { body, viewer, log }) => {
      const refusal = await saveDestination(ctx, body, viewer);
      if (!refusal) log({ summary: `Backups are copied to the bucket ${body.bucket}` });
      return refusal ?? ok(await readOffSite(ctx));
    },
  }),
  route("DELETE /api/admin/off-site", {
    ...shared,
    ...state,
    summary: "End the off-site backups; the files in the bucket stay",
    limit: "write",
    confirm: "Off-site backups are ended",
    query: v.object({ version: v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)) }),
    responses: { 200: responses[200], 409: responses[409] },
    handle: async (ctx, { query: { version }, viewer, log }) => {
      const refusal = await removeDestination(ctx, version, viewer);
      if (!refusal) log({ summary: "Backups are no longer copied to a bucket" });
      return refusal ?? ok(await readOffSite(ctx));
    },
  }),
  route("POST /api/admin/off-site/passphrase", {
    ...shared,
    summary: "Make a passphrase for off-site backups; it is used once it was typed back",
    limit: "write",
    confirm: "The passphrase of off-site backups is made",
    response: dataEnvelope(v.object({ passphrase: v.string() })),
    responses: {
      200: "The `passphrase`, which is never shown again",
      409: "`invalid_state`: there is one, or no bucket",
      502: responses[502],
      503: responses[503],
    },
    handle: async (ctx, { viewer, log }) => {
      const newPassphrase = await makePassphrase(ctx, viewer);
      if ("problem" in newPassphrase) return newPassphrase;
      log({ summary: "Made a passphrase for off-site backups" });
      return ok(newPassphrase);
    },
  }),
  route("PUT /api/admin/off-site/passphrase", {
    ...shared,
    ...state,
    summary: "Type the passphrase back, or enter that of the files in the bucket: uploads begin",
    limit: "checkout",
    confirm: "The passphrase of off-site backups is confirmed",
    body: passphraseFormSchema,
    responses: { ...responses, 422: "`validation_failed`: it is another one" },
    handle: async (ctx, { body, viewer, log }) => {
      const refusal = await confirmPassphrase(ctx, body.passphrase, viewer);
      if (!refusal) log({ summary: "Confirmed the passphrase of off-site backups" });
      return refusal ?? ok(await readOffSite(ctx));
    },
  }),
];

async function readOffSite(ctx: ShopContext): Promise<OffSite> {
  const { version, destination, isUnreadable } = await readDestination(ctx);
  const { waiting, failure: uploadFailure, booksFailure, ...state } = await readState(ctx.db, version);
  const failure = uploadFailure ?? booksFailure;
  return {
    ...state,
    isUnreadable,
    destination: destination && publicPart(destination.bucket),
    passphrase: passphraseState(ctx, destination),
    waiting: { files: waiting.files, bytes: waiting.bytes },
    failure: failure && { since: failure.since, message: failure.message },
  };
}

function passphraseState({ config }: ShopContext, destination: Destination | null): OffSite["passphrase"] {
  if (config.backups.passphrase !== null) return "environment";
  if (destination?.isConfirmed) return "panel";
  if (destination?.hasFiles) return "existing";
  return destination?.passphrase ? "unconfirmed" : "none";
}
