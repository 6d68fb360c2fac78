import * as v from "valibot";

// Extracts of the APIs that EasyPost and Shippo publish: the fields that the fakes send or receive, with their types. Other
// fields fail, so that neither the fakes nor the shop's requests depart from the published APIs.
// EasyPost: types and recorded responses of its client easypost-node 8.8.0.
// Shippo: its OpenAPI description of API version 2018-02-08, as compiled into the client shippo 2.18.0.

const text = v.string();
const nullableText = v.nullable(text);
const shippoMessages = v.array(
  v.strictObject({ source: v.optional(text), code: v.optional(text), text: v.optional(text) }),
);

const easypostAddress = v.strictObject({
  id: text,
  object: v.literal("Address"),
  mode: v.picklist(["test", "production"]),
  created_at: text,
  updated_at: text,
  name: nullableText,
  company: nullableText,
  phone: nullableText,
  email: nullableText,
  street1: nullableText,
  street2: nullableText,
  city: nullableText,
  state: nullableText,
  zip: nullableText,
  country: nullableText,
  residential: v.nullable(v.boolean()),
  verifications: v.strictObject({
    delivery: v.optional(
      v.strictObject({
        success: v.boolean(),
        errors: v.array(v.strictObject({ code: text, field: text, message: text, suggestion: nullableText })),
        details: v.nullable(v.looseObject({})),
      }),
    ),
  }),
});

const easypostRate = v.strictObject({
  id: text,
  object: v.literal("Rate"),
  mode: v.picklist(["test", "production"]),
  service: text,
  carrier: text,
  rate: text,
  currency: text,
  created_at: text,
  updated_at: text,
  shipment_id: text,
  carrier_account_id: text,
  delivery_days: v.nullable(v.number()),
  delivery_date: nullableText,
  delivery_date_guaranteed: v.boolean(),
  est_delivery_days: v.nullable(v.number()),
});

export const easypost = {
  error: v.strictObject({
    error: v.strictObject({
      code: text,
      message: text,
      errors: v.array(v.strictObject({ field: text, message: text })),
    }),
  }),
  address: easypostAddress,
  shipment: v.strictObject({
    id: text,
    object: v.literal("Shipment"),
    mode: v.picklist(["test", "production"]),
    created_at: text,
    updated_at: text,
    reference: nullableText,
    tracking_code: nullableText,
    is_return: v.boolean(),
    status: v.picklist([
      ...["unknown", "pre_transit", "in_transit", "out_for_delivery", "delivered"],
      ...["available_for_pickup", "return_to_sender", "failure", "cancelled", "error"],
    ] as const),
    refund_status: v.nullable(v.picklist(["submitted", "refunded", "rejected", "not_applicable"])),
    messages: v.array(v.strictObject({ carrier: text, type: text, message: text, carrier_account_id: text })),
    rates: v.array(easypostRate),
    selected_rate: v.nullable(easypostRate),
    postage_label: v.nullable(
      v.strictObject({
        object: v.literal("PostageLabel"),
        id: text,
        created_at: text,
        updated_at: text,
        label_size: text,
        label_file_type: v.literal("image/png"),
        label_url: text,
        label_resolution: v.number(),
      }),
    ),
  }),
  webhooks: v.strictObject({
    webhooks: v.array(
      v.strictObject({ id: text, object: text, mode: text, url: text, disabled_at: nullableText }),
    ),
  }),
  /** Bodies of requests. */
  sent: {
    address: v.strictObject({ verify: v.boolean(), address: v.strictObject(addressFields()) }),
    shipment: v.strictObject({
      shipment: v.strictObject({
        to_address: v.strictObject(addressFields()),
        from_address: v.strictObject(addressFields()),
        parcel: v.strictObject({
          length: v.number(),
          width: v.number(),
          height: v.number(),
          weight: v.number(),
        }),
        options: v.strictObject({ label_format: v.literal("PNG"), label_size: v.literal("4x6") }),
        customs_info: v.optional(
          v.strictObject({
            customs_certify: v.boolean(),
            customs_signer: text,
            contents_type: v.literal("merchandise"),
            restriction_type: v.literal("none"),
            non_delivery_option: v.picklist(["return", "abandon"]),
            eel_pfc: v.optional(text),
            customs_items: v.array(
              v.strictObject({
                description: text,
                quantity: v.number(),
                weight: v.number(),
                value: text,
                currency: text,
                hs_tariff_number: text,
                origin_country: text,
              }),
            ),
          }),
        ),
      }),
    }),
    buy: v.strictObject({ rate: v.strictObject({ id: text }) }),
    refund: v.strictObject({}),
    webhook: v.strictObject({ webhook: v.strictObject({ url: text, webhook_secret: v.optional(text) }) }),
  },
};

const shippoRate = v.strictObject({
  object_id: text,
  object_created: text,
  object_owner: text,
  shipment: text,
  carrier_account: text,
  amount: text,
  currency: text,
  amount_local: text,
  currency_local: text,
  provider: text,
  attributes: v.array(v.picklist(["BESTVALUE", "CHEAPEST", "FASTEST"])),
  servicelevel: v.strictObject({ name: v.optional(text), token: v.optional(text), terms: v.optional(text) }),
  estimated_days: v.optional(v.number()),
  test: v.boolean(),
});
const shippoTransaction = v.strictObject({
  object_id: text,
  object_created: text,
  object_updated: text,
  object_owner: text,
  object_state: v.picklist(["VALID", "INVALID"]),
  status: v.picklist([
    "WAITING",
    "QUEUED",
    "SUCCESS",
    "ERROR",
    "REFUNDED",
    "REFUNDPENDING",
    "REFUNDREJECTED",
  ]),
  rate: text,
  parcel: v.optional(text),
  label_file_type: v.literal("PNG"),
  label_url: v.optional(text),
  tracking_number: v.optional(text),
  tracking_status: v.optional(
    v.picklist(["UNKNOWN", "PRE_TRANSIT", "TRANSIT", "DELIVERED", "RETURNED", "FAILURE"]),
  ),
  messages: shippoMessages,
  test: v.boolean(),
});

export const shippo = {
  refusal: v.strictObject({ detail: text }),
  address: v.strictObject({
    object_id: text,
    object_created: text,
    object_updated: text,
    object_owner: text,
    is_complete: v.boolean(),
    name: text,
    street1: text,
    street2: text,
    city: text,
    state: text,
    zip: text,
    country: text,
    phone: text,
    validation_results: v.strictObject({
      is_valid: v.boolean(),
      messages: v.array(v.strictObject({ source: text, code: text, type: text, text })),
    }),
    test: v.boolean(),
  }),
  shipment: v.strictObject({
    object_id: text,
    object_created: text,
    object_updated: text,
    object_owner: text,
    metadata: text,
    status: v.picklist(["ERROR", "QUEUED", "SUCCESS", "WAITING"]),
    carrier_accounts: v.array(text),
    messages: shippoMessages,
    rates: v.array(shippoRate),
    test: v.boolean(),
  }),
  transaction: shippoTransaction,
  transactions: v.strictObject({
    next: nullableText,
    previous: nullableText,
    results: v.array(shippoTransaction),
  }),
  refund: v.strictObject({
    object_id: text,
    object_created: text,
    object_updated: text,
    object_owner: text,
    transaction: text,
    status: v.picklist(["QUEUED", "PENDING", "SUCCESS", "ERROR"]),
    test: v.boolean(),
  }),
  webhooks: v.strictObject({
    count: v.number(),
    results: v.array(
      v.strictObject({ object_id: text, url: text, event: text, active: v.boolean(), is_test: v.boolean() }),
    ),
  }),
  sent: {
    address: v.strictObject({ ...addressFields(), validate: v.boolean() }),
    shipment: v.strictObject({
      address_to: v.strictObject(addressFields()),
      address_from: v.strictObject(addressFields()),
      parcels: v.array(
        v.strictObject({
          length: text,
          width: text,
          height: text,
          weight: text,
          distance_unit: v.picklist(["cm", "in", "ft", "m", "mm", "yd"]),
          mass_unit: v.picklist(["g", "kg", "lb", "oz"]),
        }),
      ),
      async: v.boolean(),
      customs_declaration: v.optional(
        v.strictObject({
          certify: v.boolean(),
          certify_signer: text,
          contents_type: v.literal("MERCHANDISE"),
          non_delivery_option: v.picklist(["ABANDON", "RETURN"]),
          eel_pfc: v.optional(
            v.picklist(["NOEEI_30_37_a", "NOEEI_30_37_h", "NOEEI_30_37_f", "NOEEI_30_36", "AES_ITN"]),
          ),
          items: v.array(
            v.strictObject({
              description: text,
              quantity: v.number(),
              net_weight: text,
              mass_unit: v.literal("g"),
              value_amount: text,
              value_currency: text,
              origin_country: text,
              tariff_number: v.pipe(text, v.maxLength(12)),
            }),
          ),
        }),
      ),
    }),
    transaction: v.strictObject({ rate: text, label_file_type: v.literal("PNG"), async: v.boolean() }),
    refund: v.strictObject({ transaction: text, async: v.boolean() }),
    webhook: v.strictObject({
      url: text,
      event: v.literal("track_updated"),
      active: v.boolean(),
      is_test: v.boolean(),
    }),
  },
};

function addressFields() {
  return {
    name: text,
    street1: text,
    street2: v.optional(nullableText),
    city: text,
    state: text,
    zip: text,
    country: text,
    phone: v.optional(nullableText),
  };
}
