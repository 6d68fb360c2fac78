import { useState } from "react";
import {
  liveOptionsFor,
  type ShippingPolicy,
  shippingPriceCents,
  withLiveRates,
} from "../../../domain/shipping/shipping-policy.ts";
import { waitForPointerRelease } from "../../ui/browser/pointer-release.ts";
import { callApi } from "../api.ts";
import type { CartItem } from "../cart/cart-storage.ts";
import type { CartTotals } from "../cart/cart-totals.ts";
import { type QuotedRates, quotedRates } from "../cart/use-cart-quote.ts";
import { useApiResult } from "../use-api-result.ts";
import type { AddressForm } from "./address/address-form.ts";
import { completeAddress } from "./checkout-request.ts";

/** Longest wait for carriers' prices. After that the shop's own prices apply, even if a response arrives later. */
const waitMs = 1_500;
/** Pause in typing after which prices are requested. */
const typingPauseMs = 500;

/** Texts that fit on one line, so that nothing moves. `checked` is also shown if the shop's own prices apply. */
const notes = {
  incomplete: "Prices may change with your address.",
  checking: "Checking prices for your address…",
  checked: "Prices for your address.",
};

/**
 * Carriers' prices for the cart and the address of the form, if the owner has switched them on. `ownPrice`: the cart's
 * price with the shop's own shipping prices; its discount may make shipping free.
 */
export function useLiveRates(
  policy: ShippingPolicy,
  {
    items,
    isReady,
    form,
    ownPrice: { totals, discount },
  }: { items: readonly CartItem[]; isReady: boolean; form: AddressForm; ownPrice: CartTotals },
) {
  const { subtotal } = totals;
  const usesLiveRates =
    discount?.kind !== "free_shipping" &&
    liveOptionsFor(policy, form.country).some((option) => shippingPriceCents(option, subtotal) > 0);
  const address = usesLiveRates ? completeAddress(form) : null;
  const lines = items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
  const parcel = isReady && lines.length > 0 && address ? { items: lines, shipping: address } : null;
  const key = JSON.stringify(parcel);
  const { body, problem, isCurrent } = useApiResult(
    parcel,
    async (parcel, signal) => {
      const { country } = parcel.shipping;
      const response = await callApi("POST /api/cart/quote", {
        body: { ...parcel, country },
        timeoutMs: waitMs,
        signal,
      });
      await waitForPointerRelease();
      return response.ok ? { ok: true, body: quotedRates(response.body.data) } : response;
    },
    typingPauseMs,
  );
  const [renewal, setRenewal] = useState<{ key: string; rates: QuotedRates | null } | null>(null);
  const loadedRates = isCurrent && problem === null ? body : null;
  const currentRates = renewal?.key === key ? renewal.rates : loadedRates;
  return {
    /** Null if the shop's own prices apply. */
    rates: currentRates,
    /** The policy with these prices. */
    shipping: withLiveRates(policy, currentRates?.rates ?? null),
    address,
    /** Tells the shopper whether the prices are final; null if carriers' prices do not apply. */
    note: usesLiveRates ? notes[parcel === null ? "incomplete" : isCurrent ? "checked" : "checking"] : null,
    /** Shows the prices of a later quote of the same parcel. */
    renew: (next: QuotedRates | null) => setRenewal({ key, rates: next }),
  };
}
