import * as v from "valibot";
import { nonOwnerRoles } from "../../domain/people/roles.ts";
import {
  devicesSchema,
  eventsFor,
  maxDevices,
  type PushEvent,
  subscriptionSchema,
  wantsSchema,
} from "../../domain/push/device.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { Feature } from "../feature.ts";
import { browserName } from "../platform/http/browser-name.ts";
import { uuidParams } from "../platform/http/params.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import type { Admin, Viewer } from "../platform/http/viewer.ts";
import { task } from "../platform/jobs/jobs.ts";
import { notifyDevice, pushNotice, recordPush } from "./deliver.ts";
import {
  addDevice,
  type DeviceRow,
  findOwnDevice,
  listDevices,
  purgeDevices,
  removeDevice,
  renewDevice,
  setChosenEvents,
} from "./devices.ts";
import { testNotice } from "./notice.ts";
import { notifyDeviceJob } from "./notify.ts";
import { vapidKeys } from "./vapid.ts";

const shared = {
  tag: "Contact, notifications, admin",
  access: "admin",
  roles: nonOwnerRoles,
  notForKeys: true,
} as const;
const idSchema = v.object({ id: v.string() });

/** Devices with notifications, of people in every role. */
const pushApi = [
  route("GET /api/admin/account/devices", {
    ...shared,
    summary: "Browsers that receive the panel's notifications: one’s own, or everybody’s for the owner",
    response: dataEnvelope(devicesSchema),
    responses: { 200: "`{publicKey, devices, offered}`; `publicKey`: key for a browser's subscription" },
    async handle(ctx, { viewer }) {
      const admin = requireAdmin(viewer);
      const keys = await vapidKeys(ctx);
      return ok({
        publicKey: keys?.publicKey ?? null,
        devices: await listDevices(ctx.db, admin),
        offered: eventsFor(admin.role),
      });
    },
  }),
  route("POST /api/admin/account/devices", {
    ...shared,
    summary:
      "Send notifications to this browser; a browser that is registered already, even by another person, is moved to this person",
    limit: "write",
    body: v.object({ subscription: subscriptionSchema, wants: wantsSchema }),
    response: dataEnvelope(idSchema),
    responses: { 201: "`{id}`", 409: "The person has the maximum number of devices" },
    async handle(ctx, { body, viewer, header, log }) {
      const admin = requireAdmin(viewer);
      const refusal = refuseEvents(admin, body.wants);
      if (refusal) return refusal;
      const name = browserName(header("user-agent"));
      const device = await ctx.db.transaction((tx) =>
        addDevice(tx, admin, { ...body.subscription, wants: body.wants, name, now: ctx.now() }),
      );
      if (device === "full") {
        return problem("invalid_state", `You have ${maxDevices} devices already. Remove one first.`);
      }
      log({ subject: `device:${device.id}`, summary: `Turned on notifications: ${deviceName(device)}` });
      return created({ id: device.id });
    },
  }),
  route("PUT /api/admin/account/devices/:id", {
    ...shared,
    summary: "Confirm that this browser still receives notifications, with its current subscription",
    limit: "write",
    params: uuidParams,
    body: subscriptionSchema,
    response: dataEnvelope(idSchema),
    responses: { 200: "`{id}`", 404: "The device was removed" },
    async handle(ctx, { params: { id }, body: subscription, viewer, log }) {
      const device = await ctx.db.transaction((tx) =>
        renewDevice(tx, requireAdmin(viewer), { id, subscription, now: ctx.now() }),
      );
      if (!device) return deviceNotFound();
      log(`Renewed notifications: ${deviceName(device)}`);
      return ok({ id });
    },
  }),
  route("PATCH /api/admin/account/devices/:id", {
    ...shared,
    summary: "Choose the notifications of one of one’s devices",
    limit: "write",
    params: uuidParams,
    body: v.object({ wants: wantsSchema }),
    response: dataEnvelope(idSchema),
    responses: { 200: "`{id}`", 404: "There is no such device" },
    async handle(ctx, { params: { id }, body: { wants }, viewer, log }) {
      const admin = requireAdmin(viewer);
      const refusal = refuseEvents(admin, wants);
      if (refusal) return refusal;
      const device = await setChosenEvents(ctx.db, admin, { id, wants });
      if (!device) return deviceNotFound();
      log({
        summary: `Chose the notifications of a device: ${deviceName(device)}`,
        after: { wants },
      });
      return ok({ id });
    },
  }),
  route("DELETE /api/admin/account/devices/:id", {
    ...shared,
    summary: "Remove one of one’s devices, or, as the owner, anybody’s",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(idSchema),
    responses: { 200: "Removed", 404: "There is no such device" },
    async handle(ctx, { params: { id }, viewer, log }) {
      const device = await removeDevice(ctx.db, requireAdmin(viewer), id);
      if (!device) return deviceNotFound();
      log(`Turned off notifications: ${deviceName(device)}`);
      return ok({ id });
    },
  }),
  route("POST /api/admin/account/devices/:id/test", {
    ...shared,
    summary: "Send a test to one of one’s devices now",
    limit: "text",
    params: uuidParams,
    response: dataEnvelope(v.object({ sent: v.literal(true) })),
    responses: {
      200: "Accepted by its push service",
      404: "There is no such device",
      409: "The browser no longer receives notifications, and was removed; or its push service refuses them",
      502: "`provider_unavailable`: its push service does not answer",
    },
    async handle(ctx, { params: { id }, viewer, log }) {
      const device = await findOwnDevice(ctx.db, requireAdmin(viewer), id);
      if (!device) return deviceNotFound();
      const result = await pushNotice(ctx, device, { notice: testNotice, isTest: true });
      await recordPush(ctx, device, { result, eventTag: null });
      log(`Test notification: ${deviceName(device)}: ${result.state}`);
      switch (result.state) {
        case "delivered":
          return ok({ sent: true as const });
        case "gone":
          return problem(
            "invalid_state",
            "That browser no longer receives notifications. Turn them on there again.",
          );
        case "refused":
          return problem("invalid_state", result.message);
        case "unreachable":
          return problem("provider_unavailable", result.message);
      }
    },
  }),
];

/** The signed-in person; the gate has refused calls without a session. */
function requireAdmin({ admin }: Viewer): Admin {
  if (!admin) throw new Error("a call of the panel without a session");
  return admin;
}

function refuseEvents({ role }: Admin, wants: readonly PushEvent[]): Problem | null {
  const allowedEvents = eventsFor(role);
  if (wants.every((event) => allowedEvents.includes(event))) return null;
  const message = "Your role does not receive these notifications.";
  return problem("validation_failed", message, { fields: { wants: message } });
}

function deviceName({ name }: Pick<DeviceRow, "name">): string {
  return name ?? "a browser that did not say its name";
}

function deviceNotFound(): Problem {
  return problem("not_found", "This device was removed in the meantime.");
}

/** Push notifications to the devices of panel users. */
export const pushFeature = {
  api: pushApi,
  tasks: (ctx) => [task(notifyDeviceJob, (payload, job) => notifyDevice(ctx, payload, job))],
  purges: [purgeDevices],
} satisfies Feature;
