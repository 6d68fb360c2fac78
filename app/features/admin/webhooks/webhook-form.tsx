import { type WebhookEvent, webhookEventNames, webhookEvents } from "../../../../domain/webhooks/webhook.ts";
import { Field } from "../../../ui/field.tsx";
import type { ApiResult } from "../../api.ts";
import { FormDialog } from "../kit/form-dialog.tsx";
import type { useAdminForm } from "../kit/use-admin-action.ts";

type WebhookFields = { url: string; events: WebhookEvent[] };

/** URL and events of a webhook, in a dialog. */
export function WebhookForm({
  title,
  submitLabel,
  form,
  send,
  onClose,
}: {
  title: string;
  submitLabel: string;
  form: Pick<
    ReturnType<typeof useAdminForm<"POST /api/admin/webhooks", WebhookFields>>,
    "busy" | "problem" | "generalProblem" | "fields" | "submit" | "field" | "values"
  >;
  send: () => Promise<ApiResult<unknown>>;
  onClose: () => void;
}) {
  const { url, events } = form.values;
  const { value, onChange } = form.field("events");
  return (
    <FormDialog
      title={title}
      description="Each delivery is a signed POST with the event’s type, ids, amounts and statuses, without buyers’ names or addresses."
      form={form}
      submitLabel={submitLabel}
      failure="Nothing was saved."
      isReady={url.trim() !== "" && events.length > 0}
      send={send}
      onClose={onClose}
    >
      <Field
        {...form.field("url")}
        label="Address"
        type="url"
        required
        autoComplete="off"
        placeholder="https://example.com/hooks/palmira"
      />
      <fieldset>
        <legend className="mb-1 text-small font-medium">Events</legend>
        <div className="grid sm:grid-cols-2 sm:gap-x-4">
          {webhookEventNames.map((name) => (
            <label key={name} className="flex min-h-11 cursor-pointer items-start gap-3 py-1.5">
              <input
                type="checkbox"
                className="mt-1 size-4.5 shrink-0 accent-forest-800"
                checked={value.includes(name)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...value, name] : value.filter((event) => event !== name))
                }
              />
              <span>
                <span className="block text-small">{webhookEvents[name]}</span>
                <span className="block text-small text-ink-muted">{name}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
