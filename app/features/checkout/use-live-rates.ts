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
import { type ShownRates, shownRatesOf } from "../cart/use-cart-quote.ts";
import { useAnswer } from "../use-answer.ts";
import type { AddressForm } from "./address/address-form.ts";
import { completeAddress } from "./checkout-request.ts";

/** Longest wait for carriers' prices (ms). Afterwards the shop's own prices apply, even if an answer comes later. */
const waitMs = 1_500;
/** Waits for further letters of the address (ms). */
const typingMs = 500;

/** Each on one line, so that nothing moves. The last one is true of the shop's own prices as well. */
const notes = {
  waiting: "Prices may change with your address.",
  asking: "Checking prices for your address…",
  asked: "Prices for your address.",
};

/**
 * Carriers' prices for the cart and the address of the form, where the owner has switched them on. `ownPrice`: the cart's price with
 * those of the shop; a discount in it may pay the shipping.
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
  const isLive =
    discount?.kind !== "free_shipping" &&
    liveOptionsFor(policy, form.country).some((option) => shippingPriceCents(option, subtotal) > 0);
  const address = isLive ? completeAddress(form) : null;
  const lines = items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
  const parcel = isReady && lines.length > 0 && address ? { items: lines, shipping: address } : null;
  const key = JSON.stringify(parcel);
  const { body, problem, isCurrent } = useAnswer(
    parcel,
    async (parcel, signal) => {
      const { country } = parcel.shipping;
      const answer = await callApi("POST /api/cart/quote", {
        body: { ...parcel, country },
        timeoutMs: waitMs,
        signal,
      });
      await waitForPointerRelease();
      return answer.ok ? { ok: true, body: shownRatesOf(answer.body.data) } : answer;
    },
    typingMs,
  );
  const [renewed, setRenewed] = useState<{ key: string; rates: ShownRates | null } | null>(null);
  const answered = isCurrent && problem === null ? body : null;
  const currentRates = renewed?.key === key ? renewed.rates : answered;
  return {
    /** Null: the shop's own prices apply. */
    shown: currentRates,
    /** The policy with the prices that are shown. */
    shipping: withLiveRates(policy, currentRates?.rates ?? null),
    address,
    /** Where the prices come from, for the shopper; null: always from the shop. */
    note: isLive ? notes[parcel === null ? "waiting" : isCurrent ? "asked" : "asking"] : null,
    /** Shows the prices of a later quote of the same parcel. */
    renew: (next: ShownRates | null) => setRenewed({ key, rates: next }),
  };
}
