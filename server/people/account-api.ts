import * as v from "valibot";
import {
  newPasskeySchema,
  ownAccountResponseSchema,
  ownAccountSchema,
  passkeyCreationOptionsSchema,
  passkeyNameSchema,
  passkeyRequestOptionsSchema,
  passkeySchema,
  usedPasskeySchema,
} from "../../domain/people/person.ts";
import { nonOwnerRoles } from "../../domain/people/roles.ts";
import { confirmSession, linkSessionToPerson } from "../admin/sessions.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import { uuidParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { confirmByCode, confirmByPasskey, isConfirmed } from "./confirm.ts";
import {
  addPasskey,
  listPasskeys,
  newPasskeyOptions,
  passkeyOptions,
  passkeyProblem,
  passkeyView,
  removePasskey,
  renamePasskey,
} from "./passkeys.ts";
import { addPerson, findPerson } from "./people.ts";
import { emailTaken } from "./people-api.ts";

const shared = {
  tag: "People",
  access: "admin",
  roles: nonOwnerRoles,
  limit: "write",
  notForKeys: true,
} as const;

/** Calls about the caller's own account, for people in every role. */
export const accountApi = [
  route("GET /api/admin/account", {
    ...shared,
    summary: "The signed-in person: role, name and passkeys",
    response: dataEnvelope(ownAccountResponseSchema),
    responses: {
      200: "`{role, person, passkeys, isConfirmed, passkeyProblem}`; `person` is null for the access code",
    },
    async handle(ctx, { viewer }) {
      const person = await findCaller(ctx, viewer);
      return ok({
        role: viewer.admin?.role ?? "owner",
        person: person && { id: person.id, name: person.name, email: person.email },
        passkeys: person ? await listPasskeys(ctx.db, person.id) : [],
        isConfirmed: isConfirmed(ctx, viewer),
        passkeyProblem: passkeyProblem(ctx.config.publicUrl),
      });
    },
  }),
  route("POST /api/admin/account", {
    ...shared,
    roles: [],
    summary: "Create an owner’s account for a session of the access code, which then belongs to it",
    confirm: "An owner’s account is created",
    body: ownAccountSchema,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 201: "`{id}` of the person", 409: "The session has an account already" },
    async handle(ctx, { body, viewer, log }) {
      const { admin } = viewer;
      if (!admin || admin.person)
        return problem("invalid_state", "You are signed in with an account already.");
      const id = await ctx.db.transaction(async (tx) => {
        const personId = await addPerson(tx, { ...body, role: "owner", now: ctx.now(), hasJoined: true });
        if (personId === null) return null;
        await linkSessionToPerson(tx, admin.sessionId, personId);
        await notifyOwners(ctx, tx, { what: `${body.name} has an owner’s account now`, viewer });
        return personId;
      });
      if (id === null) return emailTaken();
      log({ subject: `person:${id}`, summary: `Made an owner’s account for ${body.name}` });
      return created({ id });
    },
  }),
  route("POST /api/admin/account/passkeys/question", {
    ...shared,
    summary: "Options for creating a passkey; valid for five minutes",
    // The first passkey needs it too: otherwise a stranger at an unlocked panel could add one and confirm with it.
    confirm: "A passkey is added",
    response: dataEnvelope(passkeyCreationOptionsSchema),
    responses: {
      200: "Options for `navigator.credentials.create`",
      409: "No account, or no passkeys at this address",
    },
    async handle(ctx, { viewer, log }) {
      const person = await findCaller(ctx, viewer);
      if (!person) return noAccount();
      const obstacle = passkeyProblem(ctx.config.publicUrl);
      if (obstacle !== null) return problem("invalid_state", obstacle);
      log({ subject: `person:${person.id}`, summary: "Began to add a passkey" });
      return ok(await newPasskeyOptions(ctx, person));
    },
  }),
  route("POST /api/admin/account/passkeys", {
    ...shared,
    summary: "Store a passkey that the browser has created",
    confirm: "A passkey is added",
    body: v.object({ name: passkeyNameSchema, passkey: newPasskeySchema }),
    response: dataEnvelope(passkeySchema),
    responses: { 201: "The passkey", 409: "It does not match the options, or is stored already" },
    async handle(ctx, { body, viewer, log }) {
      const person = viewer.admin?.person;
      if (!person) return noAccount();
      const what = `A passkey was added to the account of ${person.name}`;
      const result = await addPasskey(ctx, {
        personId: person.id,
        name: body.name,
        response: body.passkey,
        inTransaction: (tx) => notifyOwners(ctx, tx, { what, viewer }),
      });
      if (!result.ok) return problem("invalid_state", addRefusals[result.reason]);
      log({ subject: `person:${person.id}`, summary: `Added the passkey “${body.name}”` });
      return created(passkeyView(result.passkey));
    },
  }),
  route("PATCH /api/admin/account/passkeys/:id", {
    ...shared,
    summary: "Rename one of one’s passkeys",
    params: uuidParams,
    body: v.object({ name: passkeyNameSchema }),
    response: dataEnvelope(passkeySchema),
    responses: { 200: "The passkey", 404: "There is no such passkey" },
    async handle(ctx, { params, body, viewer, log }) {
      const person = viewer.admin?.person;
      if (!person) return noAccount();
      const passkey = await renamePasskey(ctx.db, { personId: person.id, id: params.id, name: body.name });
      if (!passkey) return notFoundProblem("passkey");
      log({ subject: `person:${person.id}`, summary: `Renamed a passkey to “${body.name}”` });
      return ok(passkeyView(passkey));
    },
  }),
  route("DELETE /api/admin/account/passkeys/:id", {
    ...shared,
    summary: "Remove one of one’s passkeys; the last one only with `evenLast=yes`",
    confirm: "A passkey is removed",
    params: uuidParams,
    query: v.object({ evenLast: v.optional(v.picklist(["yes", "no"])) }),
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Removed", 404: "There is no such passkey", 409: "It is the last one" },
    async handle(ctx, { params, query, viewer, log }) {
      const person = viewer.admin?.person;
      if (!person) return noAccount();
      const evenLast = query.evenLast === "yes";
      const removal = await ctx.db.transaction(async (tx) => {
        const result = await removePasskey(tx, { personId: person.id, id: params.id, evenLast });
        const what = `A passkey was removed from the account of ${person.name}`;
        if (result.ok) await notifyOwners(ctx, tx, { what, viewer });
        return result;
      });
      if (removal.ok) {
        log({ subject: `person:${person.id}`, summary: `Removed the passkey “${removal.name}”` });
        return ok({ id: params.id });
      }
      return removal.reason === "last"
        ? problem(
            "invalid_state",
            "It is your last passkey: without it you cannot sign in by yourself anymore.",
          )
        : notFoundProblem("passkey");
    },
  }),
  route("POST /api/admin/account/confirm/question", {
    ...shared,
    summary: "Options for confirming one’s identity by a passkey",
    response: dataEnvelope(passkeyRequestOptionsSchema),
    responses: { 200: "Options for `navigator.credentials.get`", 409: "The account has no passkey" },
    async handle(ctx, { viewer, log }) {
      const person = await findCaller(ctx, viewer);
      if (!person || person.passkeys === 0) return problem("invalid_state", noPasskey);
      log({ subject: `person:${person.id}`, summary: "Was asked for the passkey again" });
      return ok(await passkeyOptions(ctx, person.id));
    },
  }),
  route("POST /api/admin/account/confirm", {
    ...shared,
    summary: "Confirm one’s identity by a passkey or the access code; valid for ten minutes",
    body: v.object({
      accessCode: v.optional(v.pipe(v.string(), v.minLength(1, "Enter the access code"), v.maxLength(200))),
      passkey: v.optional(usedPasskeySchema),
    }),
    response: dataEnvelope(v.object({ confirmed: v.literal(true) })),
    responses: {
      200: "Confirmed",
      409: "Not the right code or passkey",
      429: "5 wrong attempts in a minute",
    },
    async handle(ctx, { body, viewer, address, log }) {
      const { admin } = viewer;
      if (!admin) return noAccount();
      const { passkey, accessCode } = body;
      const refusal =
        admin.person && accessCode === undefined
          ? await confirmByPasskey(ctx, { personId: admin.person.id, passkey, address })
          : await confirmByCode(ctx, { accessCode, address });
      if (refusal) return refusal;
      await confirmSession(ctx.db, admin.sessionId, ctx.now());
      log({ subject: `session:${admin.sessionId}`, summary: "Confirmed their identity" });
      return ok({ confirmed: true as const });
    },
  }),
];

const noPasskey =
  "You have no passkey yet. Use the access code, or ask the owner for a new link, which signs you in again.";

const addRefusals = {
  invalid: "The browser’s answer is not valid. Please try again.",
  known: "This passkey is already stored.",
  many: "You have as many passkeys as one person may have. Remove one first.",
};

async function findCaller(ctx: ShopContext, { admin }: Viewer) {
  return admin?.person ? findPerson(ctx.db, admin.person.id, ctx.now()) : null;
}

function noAccount() {
  return problem(
    "invalid_state",
    "You are signed in with the access code. Create an account for yourself first.",
  );
}
