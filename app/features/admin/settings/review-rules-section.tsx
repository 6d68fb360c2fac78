import { dayCount } from "../../../../domain/settings/facts.ts";
import { Select } from "../../../ui/select.tsx";
import { NumberField } from "./number-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** Whether reviews need approval, and when buyers are asked to write one. */
export function ReviewRulesSection({ draft }: { draft: SettingsDraft }) {
  const { reviews } = draft.values;
  return (
    <SettingsSection
      id="reviews"
      title="Review rules"
      groups={["reviews"]}
      draft={draft}
      preview={() => (
        <div className="grid gap-1">
          <p>
            {reviews.publish === "at_once"
              ? "A new review is on the page at once."
              : "A new review appears once you have approved it."}
          </p>
          <p>
            Buyers are asked by email, once: {dayCount(reviews.requestAfterDeliveredDays)} after delivery, or{" "}
            {dayCount(reviews.requestAfterShippedDays)} after shipping where delivery was not noted.
          </p>
        </div>
      )}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-3">
          <Select {...field("reviews.publish")} label="New reviews">
            <option value="at_once">Publish at once</option>
            <option value="hold">Hold for approval</option>
          </Select>
          <NumberField
            {...field("reviews.requestAfterDeliveredDays")}
            label="Ask after delivery"
            unit="days"
          />
          <NumberField {...field("reviews.requestAfterShippedDays")} label="Ask after shipping" unit="days" />
        </div>
      )}
    </SettingsSection>
  );
}
