import { dayCount, givingSentence, guaranteeSentence, returnsSentence } from "../../../../domain/facts.ts";
import { Select } from "../../../ui/select.tsx";
import { NumberField } from "./number-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** Until when, and how full, a bottle is taken back. */
export function ReturnsSection({ draft }: { draft: SettingsDraft }) {
  const { returns } = draft.values;
  return (
    <SettingsSection
      id="returns"
      title="Returns"
      intro="Beyond what the law gives a buyer. With 0 days nothing more is promised, and buyers cannot ask for it."
      groups={["returns"]}
      draft={draft}
      preview={() => (
        <div className="grid gap-1">
          <p>{returnsSentence(returns)}</p>
          <p>{guaranteeSentence(returns)}</p>
        </div>
      )}
    >
      {(errorOf) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <NumberField
            name="returns.days"
            label="Returns window"
            unit="days from delivery"
            value={returns.days}
            error={errorOf("returns.days")}
            onChange={(days) => draft.set("returns", { ...returns, days })}
          />
          <NumberField
            name="returns.minimumRemainingPercent"
            label="Bottle at least"
            unit="% full"
            value={returns.minimumRemainingPercent}
            error={errorOf("returns.minimumRemainingPercent")}
            onChange={(minimumRemainingPercent) =>
              draft.set("returns", { ...returns, minimumRemainingPercent })
            }
          />
        </div>
      )}
    </SettingsSection>
  );
}

/** The share of proceeds that is given away. */
export function GivingSection({ draft }: { draft: SettingsDraft }) {
  const { givingPercent } = draft.values;
  return (
    <SettingsSection
      id="giving"
      title="Giving"
      intro="An order keeps the share that held when it was placed: what was promised to its buyer is not changed later."
      groups={["givingPercent"]}
      draft={draft}
      preview={() => <p>{givingSentence(givingPercent) ?? "Nothing is said about giving."}</p>}
    >
      {(errorOf) => (
        <NumberField
          name="givingPercent"
          label="Giving share"
          unit="% of proceeds"
          decimals={2}
          value={givingPercent}
          error={errorOf("givingPercent")}
          onChange={(percent) => draft.set("givingPercent", percent)}
        />
      )}
    </SettingsSection>
  );
}

/** Whether reviews wait for approval, and when buyers are asked for one. */
export function ReviewRulesSection({ draft }: { draft: SettingsDraft }) {
  const { reviews } = draft.values;
  const change = (changes: Partial<typeof reviews>) => draft.set("reviews", { ...reviews, ...changes });
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
      {(errorOf) => (
        <div className="grid items-start gap-4 md:grid-cols-3">
          <Select
            name="reviews.publish"
            label="New reviews"
            value={reviews.publish}
            error={errorOf("reviews.publish")}
            onChange={(event) => change({ publish: event.target.value === "hold" ? "hold" : "at_once" })}
          >
            <option value="at_once">Publish at once</option>
            <option value="hold">Hold for approval</option>
          </Select>
          <NumberField
            name="reviews.requestAfterDeliveredDays"
            label="Ask after delivery"
            unit="days"
            value={reviews.requestAfterDeliveredDays}
            error={errorOf("reviews.requestAfterDeliveredDays")}
            onChange={(requestAfterDeliveredDays) => change({ requestAfterDeliveredDays })}
          />
          <NumberField
            name="reviews.requestAfterShippedDays"
            label="Ask after shipping"
            unit="days"
            value={reviews.requestAfterShippedDays}
            error={errorOf("reviews.requestAfterShippedDays")}
            onChange={(requestAfterShippedDays) => change({ requestAfterShippedDays })}
          />
        </div>
      )}
    </SettingsSection>
  );
}

/** From when on the owner is told that stock runs low. */
export function StockWarningSection({ draft }: { draft: SettingsDraft }) {
  const { lowStockAt } = draft.values;
  return (
    <SettingsSection
      id="stock"
      title="Stock warning"
      groups={["lowStockAt"]}
      draft={draft}
      audience="owner"
      preview={() => (
        <p>
          {lowStockAt === 0
            ? "You are not warned before a product is sold out."
            : `You are told, once, when ${lowStockAt === 1 ? "a single unit is" : `${lowStockAt} units or fewer are`} free to sell.`}
        </p>
      )}
    >
      {(errorOf) => (
        <NumberField
          name="lowStockAt"
          label="Warn at"
          unit="units free to sell"
          hint="0: never. Whether by email is set under Notification Settings."
          value={lowStockAt}
          error={errorOf("lowStockAt")}
          onChange={(units) => draft.set("lowStockAt", units)}
        />
      )}
    </SettingsSection>
  );
}
