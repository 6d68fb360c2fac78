import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { ReactNode } from "react";
import { carriers } from "../../../../domain/orders/tracking.ts";
import { Field, Select } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { otherCarrier, type ParcelDraft, withTrackingNumber } from "./parcel.ts";

/** Carrier and tracking number. `prefix` makes the field names unique on a page with several. */
export function ParcelFields({
  prefix,
  value: parcel,
  onChange,
  errors = {},
  warning,
  scan,
  hasCarrier = true,
  disabled = false,
}: {
  prefix: string;
  value: ParcelDraft;
  onChange: (parcel: ParcelDraft) => void;
  errors?: Record<string, string>;
  /** Warning about the tracking number, which does not prevent shipping. */
  warning?: string | undefined;
  /** Control below the number for scanning it. */
  scan?: ReactNode;
  /** False: the carrier is chosen elsewhere. */
  hasCarrier?: boolean;
  disabled?: boolean;
}) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {hasCarrier && (
        <CarrierFields
          prefix={prefix}
          value={parcel}
          onChange={onChange}
          error={errors.carrier}
          disabled={disabled}
        />
      )}
      <div className="grid content-start gap-1.5">
        <Field
          label="Tracking number"
          optional
          name={`${prefix}-tracking`}
          value={parcel.trackingNumber}
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          disabled={disabled}
          error={errors.trackingNumber}
          hint={
            warning && (
              <span role="alert" className="flex gap-1.5 font-medium text-warning">
                <Icon glyph={TriangleAlert} size="small" className="mt-px" /> {warning}
              </span>
            )
          }
          onChange={(event) => onChange(withTrackingNumber(parcel, event.target.value))}
        />
        {scan}
      </div>
    </div>
  );
}

/** Chooses the carrier of one parcel, or of all. */
export function CarrierFields({
  prefix,
  label = "Carrier",
  value: parcel,
  onChange,
  error,
  disabled = false,
}: {
  prefix: string;
  label?: string;
  value: ParcelDraft;
  onChange: (parcel: ParcelDraft) => void;
  error?: string | undefined;
  disabled?: boolean;
}) {
  const isOther = parcel.carrier === otherCarrier;
  return (
    <div className="grid content-start gap-3">
      <Select
        label={label}
        name={`${prefix}-carrier`}
        value={parcel.carrier}
        disabled={disabled}
        error={isOther ? undefined : error}
        onChange={(event) => onChange({ ...parcel, carrier: event.target.value })}
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
          value={parcel.otherCarrier}
          maxLength={60}
          disabled={disabled}
          error={error}
          onChange={(event) => onChange({ ...parcel, otherCarrier: event.target.value })}
        />
      )}
    </div>
  );
}

/** Whether to e-mail the customer that the parcel was shipped. */
export function EmailBox({
  checked,
  onChange,
  disabled = false,
  label = "Email the customer",
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  label?: string;
}) {
  const mailNotice = useMailNotice();
  return (
    <label className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3">
      <input
        type="checkbox"
        name="email-customer"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 accent-forest-800"
      />
      <span className="text-ui font-medium">{label}</span>
      <span className="col-start-2 text-caption text-ink-muted">
        {checked
          ? mailNotice("That it has shipped, with the tracking link.")
          : "Nobody is told that it has shipped."}
      </span>
    </label>
  );
}
