import { botanicalName, inciName, leftOut, shelfLifeSentence } from "../../../domain/settings/facts.ts";
import { Disclosure } from "../../ui/disclosure.tsx";

/** What is true of batana oil: shown for the shop's own oil only. */
export function BatanaIngredients() {
  return (
    <Disclosure title="Ingredients">
      <p>
        100% batana oil. INCI: <i className="font-display">{botanicalName}</i>
        {inciName.slice(botanicalName.length)}. No {leftOut}.
      </p>
      <p>
        Before first use, put a drop on the inside of your arm and wait 24 hours. Do not use the oil if your
        skin reacts. For external use only; keep away from eyes.
      </p>
    </Disclosure>
  );
}

export function BatanaStorage() {
  return (
    <Disclosure title="Storage">
      <p>
        Keep cool and dark. {shelfLifeSentence} The oil thickens when cold; warm the bottle in your hands.
      </p>
      <p>
        The batch number on the bottle tells when yours was pressed; quote it if you write to us. The
        best-before date holds for a bottle kept closed, cool and dark. Color and scent vary a little from
        batch to batch.
      </p>
    </Disclosure>
  );
}
