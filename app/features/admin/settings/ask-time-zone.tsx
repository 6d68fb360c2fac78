import { type FormEvent, useState, useSyncExternalStore } from "react";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Select } from "../../../ui/select.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Asks for the shop's time zone until it has been chosen, and proposes the one of the device. */
export function AskTimeZone() {
  const proposed = useSyncExternalStore(neverChanges, deviceZone, () => null);
  return proposed === null ? null : <TimeZoneForm proposed={proposed} />;
}

function TimeZoneForm({ proposed }: { proposed: string }) {
  const [zone, setZone] = useState(proposed);
  const action = useAdminAction("PATCH /api/admin/settings", {
    success: { title: "Time zone saved" },
    failure: "The time zone was not saved",
  });
  function save(event: FormEvent) {
    event.preventDefault();
    // Only where nobody has chosen one meanwhile.
    void action.run({ body: { timeZone: zone, revisions: { timeZone: null } } });
  }
  return (
    <Banner tone="info" className="mb-6" title="Which time zone is the shop in?">
      <p>
        Days, charts, exports and the emails to you follow it, wherever you are. You can change it in
        Settings.
      </p>
      <form onSubmit={save} className="mt-3 flex flex-wrap items-end gap-3">
        <Select
          label="Time zone of the shop"
          name="shop-time-zone"
          value={zone}
          className="w-full sm:w-72"
          onChange={(event) => setZone(event.target.value)}
        >
          {zonesWith(proposed).map((name) => (
            <option key={name} value={name}>
              {name.replaceAll("_", " ")}
            </option>
          ))}
        </Select>
        <Button type="submit" size="small" busy={action.busy}>
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
