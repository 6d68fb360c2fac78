import { giftFromMax, giftNoteMax } from "../../../../domain/orders/gift-limits.ts";
import { Field } from "../../../ui/field.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import type { FieldBinding } from "../../address/address-inputs.tsx";
import type { AddressField } from "./address-form.ts";

/** Whether the order is a gift, and what its slip says then. Opens by the box alone, with or without scripts. */
export function GiftFields({ bind }: { bind: (name: AddressField) => FieldBinding }) {
  const { value, onChange } = bind("gift");
  const note = bind("giftNote");
  const used = note.value.length;
  return (
    <div className="group mb-2">
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          id="gift"
          name="gift"
          checked={value !== ""}
          onChange={({ target }) => onChange({ target: { value: target.checked ? "on" : "" } })}
          className="size-5 shrink-0 accent-forest-800"
        />
        This is a gift
      </label>
      <div className="hidden gap-4.5 pt-1 pb-2.5 group-has-checked:grid">
        <p className="text-ui text-ink-muted">
          Enter the recipient’s name and address below, and your own email. The receipt and delivery news go
          only to you. The packing slip shows your note and no prices.
        </p>
        <TextArea
          {...note}
          label="Gift note"
          maxLength={giftNoteMax}
          hint={used === 0 ? `Up to ${giftNoteMax} characters.` : `${used} of ${giftNoteMax} characters`}
        />
        <Field
          {...bind("giftFrom")}
          label="Your name"
          hint="Printed below the note."
          maxLength={giftFromMax}
          autoComplete="name"
        />
      </div>
    </div>
  );
}
