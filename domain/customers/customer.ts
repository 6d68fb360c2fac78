import * as v from "valibot";
import { inboxMessageSchema } from "../contact/inbox.ts";
import { subscriberSchema } from "../newsletter/newsletter.ts";
import { orderNoteSchema } from "../orders/admin-order.ts";
import { orderStatusSchema } from "../orders/order.ts";
import { followUpSchema } from "../orders/replacement.ts";
import { keptOrderSchema } from "../privacy/erasure.ts";
import { questionStatuses } from "../questions/question.ts";
import { reviewStatuses } from "../reviews/review.ts";
import { wholeNumber } from "../shared/number-fields.ts";

/** Sort order of the list, highest or latest first. */
export const customerSorts = ["last", "value", "orders"] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** `returning`: with two orders or more. `newsletter`: currently subscribed. */
export const customerKinds = ["all", "returning", "newsletter"] as const;
export type CustomerKind = (typeof customerKinds)[number];

export const maxCustomerTags = 20;

const idSchema = wholeNumber(0, "Must not be negative", 2_147_483_647, "Is too large");

const tagSchema = v.pipe(
  v.string("Must be text"),
  v.transform((text) => text.trim().replace(/\s+/g, " ").toLowerCase()),
  v.minLength(1, "Write a tag"),
  v.maxLength(40, "A tag has at most 40 characters"),
  v.check((text) => !/[,\p{Cc}]/u.test(text), "A tag has no comma"),
);

/** Body of `PUT /api/admin/customers/{id}/tags`; `revision` is the one that the change is based on. */
export const customerTagsSchema = v.object({
  tags: v.pipe(
    v.array(tagSchema, "Must be a list"),
    v.transform((tags) => [...new Set(tags)].sort()),
    v.maxLength(maxCustomerTags, `At most ${maxCustomerTags} tags`),
  ),
  revision: idSchema,
});

/** A row of the list. Money in cents; times ISO 8601 UTC. */
const customerRowSchema = v.object({
  id: v.number(),
  name: v.string(),
  email: v.string(),
  /** Number of merged addresses. */
  otherEmails: v.number(),
  phone: v.nullable(v.string()),
  city: v.nullable(v.string()),
  /** ISO 3166. */
  country: v.nullable(v.string()),
  tags: v.array(v.string()),
  /** Number of paid orders, and their value net of refunds and chargebacks. */
  orders: v.number(),
  valueCents: v.number(),
  firstOrderAt: v.nullable(v.string()),
  lastOrderAt: v.nullable(v.string()),
});
export type CustomerRow = v.InferOutput<typeof customerRowSchema>;

export const customerPageSchema = v.object({
  data: v.array(customerRowSchema),
  nextCursor: v.nullable(v.string()),
  /** All tags in use, for the filter. */
  tags: v.array(v.string()),
  /** ISO 3166 codes of all customers' countries. */
  countries: v.array(v.string()),
  /** Whether orders are still being summed up, so that the list is incomplete. */
  isBuilding: v.boolean(),
});
export type CustomerPage = v.InferOutput<typeof customerPageSchema>;

/** A customer's full record, each list newest first and at most `maxCustomerListLength` long. */
export const customerSchema = v.object({
  ...customerRowSchema.entries,
  /** The main address first. */
  emails: v.array(v.string()),
  refundedCents: v.number(),
  revision: v.number(),
  recentOrders: v.array(
    v.object({
      id: v.string(),
      number: v.number(),
      status: orderStatusSchema,
      /** "2 × Pure Batana Oil" */
      items: v.array(v.string()),
      totalCents: v.number(),
      refundedCents: v.number(),
      createdAt: v.string(),
      /** Null if it is neither a replacement nor the new order of an exchange. */
      followUp: v.nullable(followUpSchema),
    }),
  ),
  messages: v.array(
    v.pick(inboxMessageSchema, ["id", "reference", "subject", "message", "status", "createdAt"]),
  ),
  reviews: v.array(
    v.object({
      id: v.number(),
      productName: v.string(),
      rating: v.number(),
      comment: v.string(),
      status: v.picklist(reviewStatuses),
      createdAt: v.string(),
    }),
  ),
  questions: v.array(
    v.object({
      id: v.number(),
      productName: v.string(),
      question: v.string(),
      status: v.picklist(questionStatuses),
      askedAt: v.string(),
    }),
  ),
  /** Newsletter sign-ups of all addresses, with the proof of consent. */
  subscriptions: v.array(subscriberSchema),
  /** Addresses that unsubscribed from a kind of e-mail. */
  unsubscribed: v.array(v.object({ email: v.string(), kind: v.string(), at: v.string() })),
  refillReminders: v.array(v.object({ orderId: v.string(), number: v.number(), askedAt: v.string() })),
  notes: v.array(orderNoteSchema),
  /** Merged customers that can be separated again. */
  merges: v.array(
    v.object({ id: v.number(), at: v.string(), name: v.string(), emails: v.array(v.string()) }),
  ),
});
export type Customer = v.InferOutput<typeof customerSchema>;
export const maxCustomerListLength = 20;

/** Body of `POST /api/admin/customers/{id}/merge`: `otherId` is merged into `{id}`. */
export const mergeSchema = v.object({
  otherId: idSchema,
});

/** Body of `POST /api/admin/customers/{id}/erase`: the main address, typed as confirmation. */
export const eraseCustomerSchema = v.object({ email: v.pipe(v.string("Type the email address"), v.trim()) });

/** Orders whose personal data must be kept for now, with the reason. */
export const erasureSchema = v.object({ kept: v.array(keptOrderSchema) });
