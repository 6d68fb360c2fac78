import * as v from "valibot";
import {
  invitedSchema,
  newPersonSchema,
  type Person,
  personChangeSchema,
  personSchema,
} from "../../domain/people/person.ts";
import { type Role, roleNames } from "../../domain/people/roles.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import type { Db } from "../platform/database/database.ts";
import { uuidParams } from "../platform/http/params.ts";
import { invalidFields, notFoundProblem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { endInvitations, makeInvitation } from "./invitations.ts";
import { addPerson, changePerson, findPerson, listPeople, removeInvited } from "./people.ts";
import type { people } from "./tables.ts";

const shared = { tag: "People", access: "admin" } as const;

/** The panel users. Only the owner may make these calls, because none of them lists `roles`. */
export const peopleApi = [
  route("GET /api/admin/people", {
    ...shared,
    summary: "People with an account in the panel",
    response: dataEnvelope(v.object({ people: v.array(personSchema), sendsEmail: v.boolean() })),
    responses: { 200: "`{people, sendsEmail}`; without `sendsEmail` links are shown, to be passed on" },
    handle: async (ctx) =>
      ok({ people: await listPeople(ctx.db, ctx.now()), sendsEmail: ctx.mailer !== null }),
  }),
  route("POST /api/admin/people", {
    ...shared,
    summary: "Invite a person with a single-use link",
    handsOutLink: true,
    confirm: "Somebody is invited",
    limit: "write",
    body: newPersonSchema,
    response: dataEnvelope(invitedSchema),
    responses: { 201: "`{person, link}`; `link` only if the shop has no mail server; it is shown only once" },
    async handle(ctx, { body, viewer, log }) {
      const invitation = await ctx.db.transaction(async (tx) => {
        const id = await addPerson(tx, { ...body, now: ctx.now(), hasJoined: false });
        if (id === null) return null;
        await notifyOwners(ctx, tx, { what: `${body.name} was invited as ${roleWord(body.role)}`, viewer });
        return invite(ctx, tx, { id, email: body.email }, viewer);
      });
      if (invitation === null) return emailTaken();
      log({
        subject: `person:${invitation.person.id}`,
        summary: `Invited ${body.name} as ${roleWord(body.role)}`,
      });
      return created(invitation);
    },
  }),
  route("PATCH /api/admin/people/:id", {
    ...shared,
    summary: "Change a person’s name or role, or deactivate or reactivate the account",
    confirm: async (_, { body: { role, active } }) =>
      role === undefined && active === undefined ? null : "Somebody’s rights are changed",
    limit: "write",
    params: uuidParams,
    body: personChangeSchema,
    response: dataEnvelope(personSchema),
    responses: {
      200: "The person; `active: false` also ends all their sessions",
      404: "There is no such person",
      409: "One’s own role and account can be changed only by another owner or with the access code",
    },
    async handle(ctx, { params: { id }, body, viewer, log }) {
      if (viewer.admin?.person?.id === id && (body.role !== undefined || body.active !== undefined)) {
        return problem(
          "invalid_state",
          "Your own role and account can only be changed by another owner, or with the access code.",
        );
      }
      const personEdit = await ctx.db.transaction(async (tx) => {
        const result = await changePerson(tx, id, body, ctx.now());
        const what = result && rightsChange(result.before, body);
        if (what) await notifyOwners(ctx, tx, { what, viewer });
        return result;
      });
      const person = personEdit && (await findPerson(ctx.db, id, ctx.now()));
      if (!personEdit || !person) return notFoundProblem("person");
      const { before, endedSessions } = personEdit;
      log({
        subject: `person:${id}`,
        summary: changeSummary(before.name, person, body),
        before: { name: before.name, role: before.role, active: before.deactivatedAt === null },
        after: {
          name: person.name,
          role: person.role,
          active: person.state !== "deactivated",
          endedSessions,
        },
      });
      return ok(person);
    },
  }),
  route("POST /api/admin/people/:id/invitation", {
    ...shared,
    summary: "Create a new link for a person who has lost the invitation or every passkey",
    handsOutLink: true,
    confirm: "A link into the panel is created",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(invitedSchema),
    responses: {
      200: "`{person, link}`, as for an invitation; the previous link stops working",
      404: "There is no such person",
      409: "The account is deactivated",
    },
    async handle(ctx, { params: { id }, viewer, log }) {
      const person = await findPerson(ctx.db, id, ctx.now());
      if (!person) return notFoundProblem("person");
      if (person.state === "deactivated") {
        return problem("invalid_state", "The account is deactivated. Reactivate it first.");
      }
      const invitation = await ctx.db.transaction(async (tx) => {
        await notifyOwners(ctx, tx, {
          what: `A new link into the panel was created for ${person.name}`,
          viewer,
        });
        return invite(ctx, tx, person, viewer);
      });
      if (!invitation) return notFoundProblem("person");
      log({ subject: `person:${id}`, summary: `Created a new link for ${person.name}` });
      return ok(invitation);
    },
  }),
  route("DELETE /api/admin/people/:id/invitation", {
    ...shared,
    summary: "Revoke a person’s link; a person who has not joined yet is removed",
    confirm: "An invitation is withdrawn",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Revoked", 404: "There is no link to revoke" },
    async handle(ctx, { params: { id }, viewer, log }) {
      const person = await findPerson(ctx.db, id, ctx.now());
      const isWithdrawn = await ctx.db.transaction(async (tx) => {
        const count = await endInvitations(tx, id);
        const isEnded = (await removeInvited(tx, id)) !== null || count > 0;
        const what = `${person?.name}’s invitation was withdrawn`;
        if (isEnded) await notifyOwners(ctx, tx, { what, viewer });
        return isEnded;
      });
      if (!isWithdrawn || !person) return problem("not_found", "There is no link to withdraw.");
      log({ subject: `person:${id}`, summary: `Withdrew the link of ${person.name}` });
      return ok({ id });
    },
  }),
];

async function invite(
  ctx: ShopContext,
  tx: Db,
  { id, email }: { id: string; email: string },
  viewer: Viewer,
): Promise<{ person: Person; link: string | null } | null> {
  const invitedBy = viewer.admin?.person?.name ?? (await ctx.settings(tx)).brandName;
  const { link } = await makeInvitation(ctx, tx, { id, email, invitedBy, now: ctx.now() });
  const person = await findPerson(tx, id, ctx.now());
  return person && { person, link };
}

function changeSummary(name: string, person: Person, change: { active?: boolean | undefined }): string {
  if (change.active === false) return `Deactivated the account of ${name}`;
  if (change.active === true) return `Reactivated the account of ${name}`;
  return `Changed the account of ${person.name}`;
}

/** Sentence about the changed rights, for the e-mail to the owners; null if no rights were changed. */
function rightsChange(
  { name, role, deactivatedAt }: typeof people.$inferSelect,
  change: v.InferOutput<typeof personChangeSchema>,
): string | null {
  const parts: string[] = [];
  if (change.role !== undefined && change.role !== role) {
    parts.push(`The role of ${name} was changed from ${roleWord(role)} to ${roleWord(change.role)}`);
  }
  const isActive = deactivatedAt === null;
  if (change.active !== undefined && change.active !== isActive) {
    parts.push(
      change.active ? `The account of ${name} was reactivated` : `The account of ${name} was deactivated`,
    );
  }
  return parts.join("; ") || null;
}

function roleWord(role: Role): string {
  return roleNames[role].toLowerCase();
}

export function emailTaken() {
  const message = "Somebody with this email address already has an account.";
  return invalidFields({ email: message });
}
