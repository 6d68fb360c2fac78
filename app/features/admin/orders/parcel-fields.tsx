import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { ComponentProps, ReactNode } from "react";
import { carriers } from "../../../../domain/orders/tracking.ts";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { otherCarrier, type ParcelDraft, withTrackingNumber } from "./parcel.ts";

/** Tracking number and carrier. `prefix` makes the field names unique on a page with several parcels. */
export function ParcelFields({
  prefix,
  value: parcel,
  onChange,
  errors = {},
  warning,
  scan,
  action,
  isActionBelow = false,
}: {
  prefix: string;
  value: ParcelDraft;
  onChange: (parcel: ParcelDraft) => void;
  errors?: Record<string, string>;
  /** Warning about the tracking number, which does not prevent shipping. */
  warning?: string | undefined;
  /** Control inside the number's field for scanning it. */
  scan?: ReactNode;
  /** Button beside the carrier or, with `isActionBelow`, a checkbox that is below both fields from 640 px. */
  action: ReactNode;
  isActionBelow?: boolean;
}) {
  return (
    <div
      className={`grid grid-cols-[min(7.25rem,45%)_minmax(0,1fr)] gap-x-2.5 gap-y-3 ${isActionBelow ? "sm:grid-cols-[minmax(0,1fr)_9rem]" : "sm:grid-cols-[minmax(0,1fr)_9rem_auto]"}`}
    >
      <TrackingField
        prefix={prefix}
        value={parcel}
        onChange={onChange}
        error={errors.trackingNumber}
        warning={warning}
        scan={scan}
        className="max-sm:col-span-2"
      />
      <CarrierFields prefix={prefix} value={parcel} onChange={onChange} error={errors.carrier} />
      {/* Aligns the button with the inputs, which have labels above them. */}
      <div className={`mt-[1.6rem] min-w-0 ${isActionBelow ? "sm:col-span-2 sm:mt-0" : ""}`}>{action}</div>
    </div>
  );
}

/** The tracking number, with the warning about it. */
export function TrackingField({
  prefix,
  label = "Tracking number",
  value: parcel,
  onChange,
  error,
  warning,
  scan,
  isOptional = true,
  className = "",
  ...input
}: {
  prefix: string;
  label?: ReactNode;
  value: ParcelDraft;
  onChange: (parcel: ParcelDraft) => void;
  error?: string | undefined;
  warning?: string | undefined;
  scan?: ReactNode;
  /** Whether the label marks the field as optional. */
  isOptional?: boolean;
  className?: string;
} & Pick<ComponentProps<"input">, "onPaste" | "onKeyDown">) {
  return (
    <div className={`relative min-w-0 ${scan ? "[&_input]:pr-14!" : ""} ${className}`}>
      <Field
        {...input}
        label={label}
        optional={isOptional}
        name={`${prefix}-tracking`}
        value={parcel.trackingNumber}
        maxLength={60}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={error}
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
  );
}

/** Chooses the carrier of one parcel, or of all. */
export function CarrierFields({
  prefix,
  label = "Carrier",
  value: parcel,
  onChange,
  error,
}: {
  prefix: string;
  label?: string;
  value: ParcelDraft;
  onChange: (parcel: ParcelDraft) => void;
  error?: string | undefined;
}) {
  const isOther = parcel.carrier === otherCarrier;
  return (
    <div className="grid content-start gap-3">
      <Select
        label={label}
        name={`${prefix}-carrier`}
        value={parcel.carrier}
        error={isOther ? undefined : error}
        onChange={(event) => onChange({ ...parcel, carrier: event.target.value })}
      >
        <Options of={carriers} />
        <option value={otherCarrier}>Other</option>
      </Select>
      {isOther && (
        <Field
          label="Name of the carrier"
          name={`${prefix}-other`}
          value={parcel.otherCarrier}
          maxLength={60}
          error={error}
          onChange={(event) => onChange({ ...parcel, otherCarrier: event.target.value })}
        />
      )}
    </div>
  );
}

/** Checkbox for e-mailing the customer that the parcel was shipped. */
export function EmailBox({
  checked,
  onChange,
  label,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
}) {
  return (
    <label className="grid min-h-11 cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3">
      <input
        type="checkbox"
        name="email-customer"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 accent-forest-800"
      />
      <span className="text-ui leading-snug wrap-anywhere">{label}</span>
    </label>
  );
}
