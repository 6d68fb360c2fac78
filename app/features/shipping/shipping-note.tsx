import { type CountryNote, entryForCountry } from "../../../domain/shipping/served-countries.ts";
import { useServedCountry } from "./shopper-country.ts";

/** Whether `ShippingNote` shows anything. */
export function hasShippingNote(notes: readonly CountryNote[]): boolean {
  return notes.some(({ freeText }) => freeText);
}

/**
 * "Free shipping on orders over $50" if that applies to the shopper's country, otherwise the cost of shipping there. Without
 * scripts the note is always about the shop's own country, and names it.
 */
export function ShippingNote({ notes }: { notes: readonly CountryNote[] }) {
  const note = entryForCountry(notes, useServedCountry(notes));
  return (
    note && (
      <span>
        {note.freeText ?? note.priceText}
        {note.freePlaceText && <noscript>{note.freePlaceText}</noscript>}
      </span>
    )
  );
}
