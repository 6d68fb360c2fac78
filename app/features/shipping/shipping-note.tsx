import { type CountryNote, noteFor } from "../../../domain/shipping/served-countries.ts";
import { useServedCountry } from "./shopper-country.ts";

/** Whether there is anything that `ShippingNote` says. */
export function hasShippingNote(notes: readonly CountryNote[]): boolean {
  return notes.some(({ free }) => free);
}

/**
 * "Free shipping on orders over $50", where that holds for the shopper's country, and what shipping costs there otherwise.
 * Browsers without scripts show the shop's own country's to everybody, so the words name it there.
 */
export function ShippingNote({ notes }: { notes: readonly CountryNote[] }) {
  const note = noteFor(notes, useServedCountry(notes));
  return (
    note && (
      <span>
        {note.free ?? note.from}
        {note.only && <noscript>{note.only}</noscript>}
      </span>
    )
  );
}
