import { carriers } from "../../../../domain/orders/tracking.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { otherCarrier, type ParcelDraft, withTrackingNumber } from "./parcel.ts";

/** Carrier and tracking number. `prefix` keeps the names of several such apart on one page. */
export function ParcelFields({
  prefix,
  draft,
  onChange,
  errors = {},
  disabled = false,
}: {
  prefix: string;
  draft: ParcelDraft;
  onChange: (draft: ParcelDraft) => void;
  errors?: Record<string, string>;
  disabled?: boolean;
}) {
  const isOther = draft.carrier === otherCarrier;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="grid content-start gap-3">
        <Select
          label="Carrier"
          name={`${prefix}-carrier`}
          value={draft.carrier}
          disabled={disabled}
          error={isOther ? undefined : errors.carrier}
          onChange={(event) => onChange({ ...draft, carrier: event.target.value })}
        >
          {carriers.map((carrier) => (
            <option key={carrier}>{carrier}</option>
          ))}
          <option value={otherCarrier}>Other</option>
        </Select>
        {isOther && (
          <Field
            label="Name of the carrier"
            name={`${prefix}-other`}
            value={draft.otherCarrier}
            maxLength={60}
            disabled={disabled}
            error={errors.carrier}
            onChange={(event) => onChange({ ...draft, otherCarrier: event.target.value })}
          />
        )}
      </div>
      <Field
        label="Tracking number"
        name={`${prefix}-tracking`}
        value={draft.trackingNumber}
        maxLength={60}
        autoComplete="off"
        disabled={disabled}
        error={errors.trackingNumber}
        onChange={(event) => onChange(withTrackingNumber(draft, event.target.value))}
      />
    </div>
  );
}
