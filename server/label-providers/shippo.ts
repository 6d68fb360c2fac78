import * as v from "valibot";
import type { TrackingState } from "../../domain/orders/tracking.ts";
import { businessDaysLater } from "../../domain/shared/zoned-days.ts";
import { addressFields, carrierAddress, nullableText, suggestedCorrection } from "./address.ts";
import {
  callProvider,
  carrierName,
  loadPicture,
  type ProviderAccess,
  ProviderRefusal,
  parseCents,
  rethrowRefusal,
  toSentence,
} from "./call.ts";
import {
  CarrierRefused,
  type CustomsItem,
  type LabelCarrier,
  type ParcelToSend,
  type Purchase,
  type Recipient,
} from "./carrier.ts";

const messages = v.optional(v.nullable(v.array(v.object({ text: v.optional(v.string(), "") }))), []);

const shipmentSchema = v.object({
  object_id: v.string(),
  messages,
  rates: v.array(
    v.object({
      object_id: v.string(),
      amount: v.string(),
      currency: v.string(),
      provider: v.string(),
      servicelevel: v.object({ name: v.string() }),
      estimated_days: v.optional(v.nullable(v.number()), null),
    }),
  ),
});
const transactionSchema = v.object({
  object_id: v.string(),
  status: v.picklist([
    "WAITING",
    "QUEUED",
    "SUCCESS",
    "ERROR",
    "REFUNDED",
    "REFUNDPENDING",
    "REFUNDREJECTED",
  ]),
  label_url: nullableText,
  tracking_number: nullableText,
  tracking_status: nullableText,
  messages,
});
type Transaction = v.InferOutput<typeof transactionSchema>;

const addressSchema = v.object({
  ...addressFields,
  validation_results: v.optional(
    v.nullable(v.object({ is_valid: v.optional(v.nullable(v.boolean()), null), messages })),
    null,
  ),
});

const trackingStates: Record<string, TrackingState> = {
  TRANSIT: "on_the_way",
  DELIVERED: "delivered",
  RETURNED: "exception",
  FAILURE: "exception",
};
const isVoid = ({ status }: Transaction) => status === "REFUNDED" || status === "REFUNDPENDING";

export function shippoAccess(apiKey: string, apiBase: string | null): ProviderAccess {
  const base = apiBase ?? "https://api.goshippo.com";
  return { title: "Shippo", apiKey, base, authorization: `ShippoToken ${apiKey}` };
}

/** Shippo, https://docs.goshippo.com, version 2018-02-08: the same rate can be bought repeatedly, and its purchases can be listed. */
export function shippo(access: ProviderAccess): LabelCarrier {
  /** The labels bought at a rate, without refused ones. */
  const listTransactions = async (rateRef: string) => {
    const path = `/transactions?${new URLSearchParams({ rate: rateRef, results: "25" })}`;
    const listSchema = v.object({ results: v.array(transactionSchema) });
    const { results } = await callProvider(access, "GET", path, { schema: listSchema });
    return results.filter(({ status }) => status !== "ERROR");
  };
  /** Returns why a label is not refunded; null if it is. */
  const refund = async ({ object_id: transaction }: Transaction): Promise<string | null> => {
    try {
      const { status } = await callProvider(access, "POST", "/refunds", {
        body: { transaction, async: false },
        always: true,
        schema: v.object({ status: v.picklist(["QUEUED", "PENDING", "SUCCESS", "ERROR"]) }),
      });
      return status === "ERROR" ? "Shippo says that this label can no longer be refunded." : null;
    } catch (error) {
      if (error instanceof ProviderRefusal && !error.isKeyAtFault) return toSentence(error.message);
      throw error;
    }
  };
  const toPurchase = (transaction: Transaction): Purchase => {
    const { tracking_number: trackingNumber, label_url: url, tracking_status: status } = transaction;
    if (!url || !trackingNumber) throw new Error("Shippo has not made this label yet");
    return {
      trackingNumber,
      picture: () => loadPicture(access, url),
      tracking: trackingStates[status ?? ""] ?? "announced",
    };
  };
  return {
    name: "shippo",
    mode: access.apiKey.startsWith("shippo_test") ? "test" : "live",
    sellsOnce: false,
    async checkAddress(recipient) {
      const validatedAddress = await rethrowRefusal(
        callProvider(access, "POST", "/addresses", {
          body: { ...withoutNulls(recipient), validate: true },
          schema: addressSchema,
        }),
      );
      const result = validatedAddress.validation_results;
      // Addresses in some countries cannot be verified.
      if (typeof result?.is_valid !== "boolean") return { problem: null, correction: null };
      const problem = result.is_valid
        ? null
        : messageText(result.messages) || "Shippo does not know this address.";
      return {
        problem,
        correction: result.is_valid ? suggestedCorrection(recipient.address, validatedAddress) : null,
      };
    },
    async quote(parcel, signal) {
      const shipment = await rethrowRefusal(
        callProvider(access, "POST", "/shipments", {
          body: shipmentRequest(parcel),
          schema: shipmentSchema,
          signal,
        }),
      );
      const rates = shipment.rates.flatMap((rate) => {
        const amountCents = parseCents(rate.amount, rate.currency);
        if (amountCents === null) return [];
        const days = rate.estimated_days;
        return [
          {
            rateRef: rate.object_id,
            carrier: carrierName(rate.provider),
            service: rate.servicelevel.name,
            amountCents,
            arrivesOn: days === null ? null : businessDaysLater(parcel.today, days),
          },
        ];
      });
      const carrierMessages = messageText(shipment.messages);
      if (rates.length === 0 && carrierMessages) throw new CarrierRefused(`Shippo: ${carrierMessages}`);
      return { parcelRef: shipment.object_id, rates };
    },
    async buy({ rateRef }) {
      const body = { rate: rateRef, label_file_type: "PNG", async: false };
      const transaction = await rethrowRefusal(
        callProvider(access, "POST", "/transactions", { body, schema: transactionSchema, always: true }),
      );
      if (transaction.status === "ERROR")
        throw new CarrierRefused(
          `Shippo: ${messageText(transaction.messages) || "the carrier did not sell this label."}`,
        );
      return toPurchase(transaction);
    },
    async find({ rateRef, trackingNumber }) {
      const validLabels = (await listTransactions(rateRef)).filter((transaction) => !isVoid(transaction));
      const rank = ({ tracking_number: number, status }: Transaction) =>
        number !== null && number === trackingNumber ? 2 : Number(status === "SUCCESS");
      const [labelInUse, ...duplicates] = validLabels.sort((a, b) => rank(b) - rank(a));
      const keptDuplicates: string[] = [];
      for (const duplicate of duplicates)
        if ((await refund(duplicate)) !== null)
          keptDuplicates.push(duplicate.tracking_number ?? duplicate.object_id);
      return labelInUse ? { ...toPurchase(labelInUse), keptDuplicates } : null;
    },
    async void({ rateRef }) {
      const soldLabels = await listTransactions(rateRef);
      if (soldLabels.length === 0) throw new Error("Shippo does not list this label under this key");
      for (const transaction of soldLabels.filter((label) => !isVoid(label))) {
        const refusal = await refund(transaction);
        if (refusal !== null) throw new CarrierRefused(refusal);
      }
    },
    async readRefund({ rateRef }) {
      const statuses = (await listTransactions(rateRef)).map(({ status }) => status);
      if (statuses.includes("REFUNDREJECTED")) return "rejected";
      return statuses.length > 0 && statuses.every((status) => status === "REFUNDED")
        ? "refunded"
        : "pending";
    },
  };
}

const messageText = (list: v.InferOutput<typeof messages>) =>
  (list ?? [])
    .flatMap(({ text: words }) => (words ? toSentence(words) : []))
    .slice(0, 2)
    .join(" ");

function withoutNulls(recipient: Recipient) {
  const address = carrierAddress(recipient);
  return { ...address, street2: address.street2 ?? "", phone: address.phone ?? "" };
}

function shipmentRequest({ sender, recipient, parcel, weightGrams, customs }: ParcelToSend) {
  const { length, width, height } = parcel;
  return {
    address_to: withoutNulls(recipient),
    address_from: withoutNulls({ name: sender.name, phone: sender.phone, address: sender }),
    parcels: [
      {
        length: String(length),
        width: String(width),
        height: String(height),
        distance_unit: "in",
        weight: String(weightGrams),
        mass_unit: "g",
      },
    ],
    async: false,
    ...(customs && { customs_declaration: customsDeclaration(customs, sender) }),
  };
}

function customsDeclaration(items: readonly CustomsItem[], { name, country }: ParcelToSend["sender"]) {
  return {
    certify: true,
    certify_signer: name,
    contents_type: "MERCHANDISE",
    non_delivery_option: "RETURN",
    // Exports from the United States worth at most 2,500 dollars need no filing.
    ...(country === "US" && { eel_pfc: "NOEEI_30_37_a" }),
    items: items.map(({ description, quantity, valueCents, weightGrams, hsCode, originCountry }) => ({
      description,
      quantity,
      tariff_number: hsCode,
      origin_country: originCountry,
      net_weight: String(weightGrams * quantity),
      mass_unit: "g",
      value_amount: ((valueCents * quantity) / 100).toFixed(2),
      value_currency: "USD",
    })),
  };
}
