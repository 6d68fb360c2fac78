import { consentText } from "../../../../domain/newsletter/consent-text.ts";
import { refillOffer } from "../../../../domain/orders/order-text.ts";
import { dayCount } from "../../../../domain/settings/facts.ts";
import { Options, Select } from "../../../ui/field.tsx";
import { choiceOrNull } from "../../../ui/use-form.ts";
import { Switch } from "../kit/switch.tsx";
import { NumberField } from "./number-field.tsx";
import { useSettings } from "./settings-form.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** E-mails that shoppers may sign up for: the newsletter with its welcome code, and refill reminders. */
export function NewsletterSection({ codes }: { codes: readonly string[] }) {
  const { brandName, newsletter, refillReminderWeeks, welcomeCode } = useSettings().values;
  const isKnownCode =
    welcomeCode === null || codes.some((code) => code.toUpperCase() === welcomeCode.toUpperCase());
  return (
    <SettingsSection
      id="newsletter"
      intro="Shoppers sign up in the footer of every page and after paying, and confirm by email. You write to them under Marketing."
      groups={["newsletter", "welcomeCode", "refillReminderWeeks"]}
      preview={() => [
        newsletter ? consentText(brandName.trim()) : "No newsletter sign-up is shown.",
        refillOffer(refillReminderWeeks) ?? "No refill reminder is offered.",
        newsletter && welcomeCode !== null && `Everyone who confirms gets the code ${welcomeCode}.`,
      ]}
    >
      {(field) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Switch {...field("newsletter")} label="Offer a newsletter" className="md:col-span-2" />
          <Select
            {...field("welcomeCode", choiceOrNull)}
            label="Welcome code"
            hint="One of your discount codes. Limit it to one use per customer; it is sent only while it works."
          >
            <option value="">None</option>
            {!isKnownCode && <option value={welcomeCode}>{welcomeCode} (deleted)</option>}
            <Options of={codes} />
          </Select>
          <NumberField
            {...field("refillReminderWeeks")}
            label="Refill reminder"
            unit="weeks after delivery"
            hint="About how long a bottle lasts. Enter 0 for never."
          />
        </div>
      )}
    </SettingsSection>
  );
}

/** Whether reviews need approval, and when review requests are sent. */
export function ReviewRulesSection() {
  const { reviews } = useSettings().values;
  return (
    <SettingsSection
      id="reviews"
      groups={["reviews"]}
      preview={() => [
        reviews.publish === "at_once"
          ? "A new review is published at once."
          : "A new review is published once you have approved it.",
        `Buyers are asked by email, once: ${dayCount(reviews.requestAfterDeliveredDays)} after delivery, or ${dayCount(reviews.requestAfterShippedDays)} after shipping if delivery was not recorded.`,
      ]}
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
