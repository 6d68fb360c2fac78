import { type FormEvent, useSyncExternalStore } from "react";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Select } from "../../../ui/field.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

/** Asks for the shop's time zone until it has been chosen, and proposes the one of the device. */
export function AskTimeZone() {
  const proposed = useSyncExternalStore(neverChanges, deviceZone, () => null);
  return proposed === null ? null : <TimeZoneForm proposed={proposed} />;
}

function TimeZoneForm({ proposed }: { proposed: string }) {
  const form = useAdminForm(
    "PATCH /api/admin/settings",
    { timeZone: proposed },
    { success: { title: "Time zone saved" }, failure: "The time zone was not saved" },
  );
  const { timeZone: zone } = form.values;
  function save(event: FormEvent) {
    event.preventDefault();
    // Revision null: saved only if no time zone has been set yet.
    void form.run({ body: { timeZone: zone, revisions: { timeZone: null } } });
  }
  return (
    <Banner tone="info" className="mb-6" title="Which time zone is the shop in?">
      <p>
        Days, charts, exports and the emails to you follow it, wherever you are. You can change it in
        Settings.
      </p>
      <form onSubmit={save} className="mt-3 flex flex-wrap items-end gap-3">
        <Select
          {...form.field("timeZone")}
          label="Time zone of the shop"
          name="shop-time-zone"
          className="w-full sm:w-72"
        >
          {zonesWith(proposed).map((name) => (
            <option key={name} value={name}>
              {name.replaceAll("_", " ")}
            </option>
          ))}
        </Select>
        <Button type="submit" size="small" busy={form.busy}>
          Save time zone
        </Button>
      </form>
    </Banner>
  );
}

function zonesWith(proposed: string): string[] {
  return [...new Set([proposed, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function neverChanges() {
  return () => {};
}
