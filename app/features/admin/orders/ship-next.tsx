import ChevronRight from "lucide-react/icons/chevron-right";
import Flag from "lucide-react/icons/flag";
import Link2 from "lucide-react/icons/link-2";
import Printer from "lucide-react/icons/printer";
import Ticket from "lucide-react/icons/ticket";
import Truck from "lucide-react/icons/truck";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { itemsToPack, type Packing } from "../../../../domain/orders/packing.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextButton, textLinkClass } from "../../../ui/text-button.tsx";
import { readStored, store } from "../../browser-storage.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { FormFields, handleSubmit } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { LabelDialog } from "../labels/label-dialog.tsx";
import { useMayCall, useRights } from "../rights.ts";
import { useShortcut } from "../shell/shortcuts.ts";
import { ProblemDialog } from "./packing-problem.tsx";
import {
  emptyParcel,
  type ParcelDraft,
  parcelBody,
  parcelProblems,
  slipsPath,
  useShipmentIds,
  useStoredParcel,
  useTrackingCheck,
  withTrackingNumber,
} from "./parcel.ts";
import { EmailBox, ParcelFields } from "./parcel-fields.tsx";
import { ScanButton } from "./scan-button.tsx";
import type { PackingResult } from "./ship-next-frame.tsx";
import { Address, PackLine, packingLines, UrgencyBanner } from "./ship-next-order.tsx";

const carrierKey = "ship-next-carrier";

/** One order to pack: its address, its lines, and the parcel's fields. Shipping it opens the next order. */
export function ShipNext({
  order,
  canBuyLabel,
  onDone,
}: {
  order: Packing;
  canBuyLabel: boolean;
  /** Called with the result before the next order is shown. */
  onDone: (result: PackingResult) => void;
}) {
  const [shipsTogether, setTogether] = useState(false);
  const [isReporting, setReporting] = useState(false);
  const [isBuying, setBuying] = useState(false);
  const otherOrders = shipsTogether ? order.sameAddress : [];
  const lines = packingLines(order, otherOrders);
  const hasTicks = lines.length > 1;
  const shipmentIds = useShipmentIds();
  const formElement = useRef<HTMLFormElement>(null);
  const tracking = useTrackingCheck();
  const mailNotice = useMailNotice();
  const navigate = useNavigate();
  const mayReport = useMayCall("POST /api/admin/orders/:id/problem");
  // Packers cannot open the list of problems.
  const onHoldText =
    useRights().role === "packer" ? "on hold. The owner is notified." : "on hold, under Problems.";
  const isAllPacked = (packedKeys: string[]) =>
    !hasTicks || lines.every(({ key }) => packedKeys.includes(key));
  const form = useAdminForm(
    "POST /api/admin/orders/ship",
    { packedKeys: [] as string[], parcel: emptyParcel(), email: true },
    {
      check: ({ packedKeys, parcel }) => ({
        ...(isAllPacked(packedKeys) ? {} : { packedKeys: "Tick each line once it is in the parcel." }),
        ...parcelProblems(parcel),
      }),
    },
  );
  const { busy, problem } = form;
  const { packedKeys, parcel, email } = form.values;
  const focus = (name: string) =>
    formElement.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  // Preselects the carrier of the previous parcel.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per order
  useEffect(() => {
    const carrier = readStored("local", carrierKey);
    if (carrier) form.set({ parcel: { ...parcel, carrier } });
    window.scrollTo(0, 0);
    if (hasTicks) focus(`pack-${lines[0]?.key}`);
    // On phones, the keyboard would cover the address.
    else if (window.matchMedia("(pointer: fine)").matches) focus("next-tracking");
  }, []);

  // Called after the effect above, because a stored parcel replaces the carrier that it sets.
  const storeParcel = useStoredParcel(order, (storedParcel) => form.set({ parcel: storedParcel }));
  function setParcel(next: ParcelDraft) {
    form.set({ parcel: next });
    storeParcel(next);
  }

  useShortcut({ keys: "s", label: "Skip this order", run: () => void navigate(`?after=${order.id}`) });
  useShortcut({ keys: "w", label: "Something is wrong", run: () => mayReport && setReporting(true) });

  function tick(key: string, isTicked: boolean) {
    const next = isTicked ? [...packedKeys, key] : packedKeys.filter((packedKey) => packedKey !== key);
    form.set({ packedKeys: next });
    if (!isTicked) return;
    const nextUnticked = lines.find((line) => !next.includes(line.key));
    focus(nextUnticked ? `pack-${nextUnticked.key}` : "next-tracking");
  }

  /** Opens the label's dialog. Like shipping, this requires that every line is ticked. */
  function buyLabel() {
    if (isAllPacked(packedKeys)) return setBuying(true);
    form.submit();
    focus(`pack-${lines.find(({ key }) => !packedKeys.includes(key))?.key}`);
  }

  async function ship() {
    if (busy || tracking.isChecking) return;
    if (!form.submit()) {
      const nextUnticked = lines.find(({ key }) => !packedKeys.includes(key));
      focus(hasTicks && nextUnticked ? `pack-${nextUnticked.key}` : "next-other");
      return;
    }
    if (!(await tracking.check([{ key: order.id, draft: parcel }]))) return;
    const parcelFields = { ...parcelBody(parcel), email, canUndo: true };
    const ownItems = itemsToPack(order).map(({ productId, quantity }) => ({ productId, quantity }));
    const response = await form.run({
      body: {
        orders: [
          { id: order.id, ...parcelFields, lines: ownItems, shipmentId: shipmentIds.of(order.id) },
          ...otherOrders.map(({ id }) => ({ id, ...parcelFields, shipmentId: shipmentIds.of(id) })),
        ],
      },
    });
    if (!response.ok) return;
    const results = response.body.data;
    const shippedOrders = results.filter((result) => result.ok);
    const refusals = results.flatMap((result) => (result.ok ? [] : [`#${result.number}: ${result.reason}`]));
    if (shippedOrders.length > 0) {
      store("local", carrierKey, parcel.carrier);
      if (shippedOrders.some(({ id }) => id === order.id)) storeParcel(null);
    }
    const numbers = shippedOrders.map(({ number }) => `#${number}`).join(" and ");
    const notice = email
      ? mailNotice("The customer gets an email in 10 seconds.")
      : "The customer is not notified.";
    onDone({
      message: [
        ...(shippedOrders.length > 0 ? [`Order ${numbers} is shipped. ${notice}`] : []),
        ...refusals.map((refusal) => `Not shipped: ${refusal}`),
      ].join(" "),
      isProblem: refusals.length > 0,
      parcels: shippedOrders.map(({ id }) => ({ orderId: id, shipmentId: shipmentIds.of(id) })),
    });
  }

  const sameAddressNumbers = order.sameAddress.map(({ number }) => `#${number}`).join(", ");
  const shipLabel = tracking.warnings[order.id] ? "Ship with this number" : "Ship & next";
  return (
    <>
      <form
        ref={formElement}
        noValidate
        aria-label={`Order #${order.number}`}
        data-keeps-page
        className="rounded-md border border-line bg-surface"
        onSubmit={handleSubmit(ship)}
      >
        <UrgencyBanner order={order} />
        <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
          <Address order={order} />
          <div className="min-w-0 p-4 lg:p-5">
            <fieldset className="grid gap-2">
              <legend className="sr-only">In this parcel</legend>
              {lines.map((line) => (
                <PackLine
                  key={line.key}
                  line={line}
                  isTicked={hasTicks ? packedKeys.includes(line.key) : null}
                  onTick={(isTicked) => tick(line.key, isTicked)}
                />
              ))}
            </fieldset>
            {form.errors.packedKeys && (
              <p role="alert" className="mt-2 text-small font-medium text-danger">
                {form.errors.packedKeys}
              </p>
            )}
            {order.sameAddress.length > 0 && (
              <p className="mt-3 flex items-center border-t border-line pt-2 justify-between gap-3 text-small font-medium text-copper-700">
                <span className="inline-flex gap-1.5">
                  <Icon glyph={Link2} size="small" className="mt-0.5" />
                  <span>
                    {order.sameAddress.length < 3
                      ? sameAddressNumbers
                      : `${order.sameAddress.length} more orders`}{" "}
                    {shipsTogether ? "in the same parcel" : "to the same address"}
                    {order.sameAddress.length >= 3 && (
                      <span className="block font-normal text-ink-muted">{sameAddressNumbers}</span>
                    )}
                  </span>
                </span>
                <button
                  type="button"
                  className="inline-flex min-h-11 items-center gap-0.5 hover:underline"
                  onClick={() => setTogether(!shipsTogether)}
                >
                  {shipsTogether ? "Take out" : "Add"}
                  {!shipsTogether && <Icon glyph={ChevronRight} size="small" />}
                </button>
              </p>
            )}
          </div>
        </div>
        <FormFields name="Parcel" busy={busy} className="border-t border-line p-4 lg:p-5">
          <ParcelFields
            value={parcel}
            onChange={setParcel}
            prefix="next"
            errors={form.errors}
            warning={tracking.warnings[order.id]}
            scan={
              <ScanButton
                onScan={(trackingNumber) => setParcel(withTrackingNumber(parcel, trackingNumber))}
              />
            }
            action={<EmailBox {...form.field("email")} label="Email the customer that it has shipped" />}
            isActionBelow
          />
          {problem && (
            <Banner className="mt-3" title="The order could not be marked as shipped.">
              {problem.message}
            </Banner>
          )}
        </FormFields>
        <div className="flex flex-wrap items-center gap-x-5 border-t border-line px-4 py-2 lg:flex-nowrap lg:px-5 lg:py-3.5">
          {mayReport && (
            <TextButton className="text-danger! no-underline!" onClick={() => setReporting(true)}>
              <Icon glyph={Flag} size="small" /> Something is wrong
            </TextButton>
          )}
          <a
            href={slipsPath([order.id])}
            target="_blank"
            rel="noreferrer"
            className={`${textLinkClass} mr-auto no-underline`}
          >
            <Icon glyph={Printer} size="small" /> Packing slip
          </a>
          <ButtonLink variant="secondary" size="small" className="max-lg:hidden" to={`?after=${order.id}`}>
            Skip
          </ButtonLink>
          <div
            data-action-bar
            className="flex gap-2.5 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-(--z-buybar) max-lg:bg-surface max-lg:px-(--gutter) max-lg:pt-2 max-lg:pb-[calc(.5rem+env(safe-area-inset-bottom))] max-lg:shadow-bar"
          >
            {canBuyLabel && (
              <PanelButton
                className="whitespace-nowrap max-lg:min-h-12! max-lg:grow max-lg:px-3"
                onClick={buyLabel}
              >
                <Icon glyph={Ticket} size="small" /> Buy label
              </PanelButton>
            )}
            <PanelButton
              variant="primary"
              type="submit"
              className="max-lg:min-h-12! max-lg:grow max-lg:px-3"
              busy={busy || tracking.isChecking}
              busyText="Saving..."
            >
              <Icon glyph={Truck} size="small" /> {shipLabel}
            </PanelButton>
          </div>
        </div>
      </form>
      {/* Outside the form, because React passes a dialog's submit event on to the form around it. */}
      {isBuying && (
        <LabelDialog
          order={order}
          onBought={(label) =>
            onDone({ message: `Order #${order.number} has its label.`, parcels: [], label })
          }
          onClose={() => setBuying(false)}
        />
      )}
      {isReporting && (
        <ProblemDialog
          order={order}
          submitLabel="Put on hold and next"
          onDone={() => onDone({ message: `Order #${order.number} is ${onHoldText}`, parcels: [] })}
          onClose={() => setReporting(false)}
        />
      )}
    </>
  );
}
