import { formatTotal } from "../../../../domain/checkout/total-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** The shop's name, how it writes amounts, and where its days begin. `now`: ISO 8601. */
export function ShopSection({
  timeZones,
  now,
  exampleCents,
}: {
  timeZones: readonly string[];
  now: string;
  exampleCents: number;
}) {
  const { values, set } = useSettings();
  const { brandName, currencyDisplay, timeZone } = values;
  return (
    <SettingsSection
      id="shop"
      groups={["brandName", "currencyDisplay", "timeZone"]}
      preview={() => (
        <div className="grid gap-1">
          <p>
            Page titles: “Your Cart · {brandName.trim()}”. Emails are signed “{brandName.trim()}”.
          </p>
          <p>Total {formatTotal(exampleCents, currencyDisplay)}</p>
          <p className="text-ink-muted">For you alone: there it is {timeAt(now, timeZone)}.</p>
        </div>
      )}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Field
            {...field("brandName")}
            label="Brand name"
            maxLength={60}
            autoComplete="organization"
            hint="On pages, in emails and for search engines. The logo is a picture and stays."
          />
          <Select
            {...field("currencyDisplay")}
            label="Totals"
            hint="The code helps where other currencies have dollars, too."
          >
            <option value="symbol">{formatTotal(exampleCents, "symbol")}</option>
            <option value="symbol_and_code">{formatTotal(exampleCents, "symbol_and_code")}</option>
          </Select>
          <div className="grid justify-items-start gap-2">
            <Select
              {...field("timeZone")}
              label="Time zone"
              hint="Where your days begin and end, in the overview and in exports."
              className="w-full"
            >
              {(timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]).map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
            <Button
              variant="quiet"
              size="small"
              onClick={() => set("timeZone", Intl.DateTimeFormat().resolvedOptions().timeZone)}
            >
              Use this device’s time zone
            </Button>
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

/** "Fri, Nov 20, 15:04" */
function timeAt(now: string, timeZone: string): string {
  return new Date(now).toLocaleString("en-US", {
    timeZone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}
