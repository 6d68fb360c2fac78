import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { Audience, Campaign, CampaignContent } from "../../../../domain/campaigns/campaign.ts";
import { countries } from "../../../../domain/shared/country.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Options, Select, TextArea } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { choiceOrNull, orNull } from "../../../ui/use-form.ts";
import { EmailPreview } from "../content/email-preview.tsx";
import { MarkupHelp } from "../content/markup-help.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { AdminPage, PageSection } from "../kit/admin-page.tsx";
import { ChoosePicture } from "../kit/choose-picture.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { handleSubmit } from "../kit/form-dialog.tsx";
import { ConflictPanel } from "../kit/saved-form/conflict-panel.tsx";
import { SaveBar } from "../kit/saved-form/save-bar.tsx";
import { useSavedForm } from "../kit/saved-form/use-saved-form.ts";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../rights.ts";
import { type CampaignFacts, campaignContent, useCampaignCheck } from "./campaign-content.ts";
import { SendCampaign, SendNotes } from "./send-campaign.tsx";

const labels: Record<keyof CampaignContent, string> = {
  subject: "Subject",
  preheader: "Preview line",
  heading: "Heading",
  body: "Text",
  productId: "Product",
  buttonLabel: "Button",
  buttonUrl: "The button leads to",
  code: "Discount code",
  personalCodes: "A code of their own for each reader",
  audience: "Who gets it",
  segment: "Buyers",
};

const audienceNames: Record<Audience, string> = {
  subscribers: "All confirmed subscribers",
  buyers: "Subscribers who have bought",
  segment: "Some of those who have bought",
};

const textSigns = [
  "**bold**",
  "[words](/address)",
  "- list",
  ["![what it shows](file)", "for a picture"],
  ["{{code}}", "for the discount code"],
] as const;

const toSaved = (campaign: Campaign) => ({ revision: campaign.revision, values: campaignContent(campaign) });
const displayText = (value: unknown) =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

/** The form of a draft, with preview, test and sending. */
export function CampaignEditor({ campaign, facts }: { campaign: Campaign; facts: CampaignFacts }) {
  const { id } = campaign;
  const conflictPanel = useRef<HTMLDivElement>(null);
  const bodyField = useRef<HTMLTextAreaElement>(null);
  const [sendProblems, setSendProblems] = useState<Record<string, string>>({});
  const saving = useAdminAction("PATCH /api/admin/campaigns/:id", { failure: null });
  const test = useAdminAction("POST /api/admin/campaigns/:id/test", { failure: null, reloads: false });
  const saved = toSaved(campaign);
  const problems = { ...saving.fields, ...sendProblems };
  const form = useSavedForm(saved, { problems, storageKey: `admin-campaign-${id}` });
  const { values } = form;
  const check = useCampaignCheck(values);
  const fieldError = (name: string) => check?.problems[name] ?? problems[name];
  const hasConflict = form.conflicts.length > 0;
  useEffect(() => {
    if (hasConflict) conflictPanel.current?.focus();
  }, [hasConflict]);

  async function save(): Promise<void> {
    if (hasConflict) return conflictPanel.current?.focus();
    setSendProblems({});
    const response = await form.send<Campaign, { data: Campaign }>(
      (revision) =>
        saving.run({
          params: { id: String(id) },
          body: { ...form.changes, revision },
          success: { title: "Draft saved" },
        }),
      toSaved,
    );
    if (response.ok) form.adopt(toSaved(response.body.data));
  }

  function showSendProblems(title: string, fields: Record<string, string>): void {
    setSendProblems(fields);
    const [firstProblem] = Object.entries(fields);
    if (!firstProblem) return;
    const [field, problem] = firstProblem;
    // The message at the field may be off the screen.
    toast({ title, description: problem, tone: "danger" });
    setTimeout(() => document.getElementById(field)?.focus());
  }

  async function sendTest(): Promise<void> {
    setSendProblems({});
    const response = await test.run({ params: { id: String(id) } });
    if (!response.ok) {
      const title = "The test was not sent";
      if (response.problem.status === 422) return showSendProblems(title, response.problem.fields);
      toast({ title, description: response.problem.message, tone: "danger" });
      return;
    }
    const { to, isSent } = response.body.data;
    toast(
      isSent
        ? { title: "Test on its way", description: `It goes to ${to}.` }
        : {
            title: "Kept, not sent",
            description: `${to === null ? "Your email address is not" : "No mail server is"} set: the test is under Messages, Sent.`,
          },
    );
  }

  const textField = (name: "subject" | "preheader" | "heading" | "body" | "buttonLabel" | "buttonUrl") => ({
    ...form.field(name),
    label: labels[name],
    error: fieldError(name) && <span className="whitespace-pre-line">{fieldError(name)}</span>,
  });
  return (
    <AdminPage
      title={campaign.subject || "New newsletter"}
      back={{ to: "/admin/campaigns", label: "Newsletters" }}
      actions={
        <>
          <May call="POST /api/admin/campaigns/:id/test">
            <PanelButton
              busy={test.busy}
              busyText="Sending..."
              disabled={form.isDirty}
              onClick={() => void sendTest()}
            >
              Send me a test
            </PanelButton>
          </May>
          <SendCampaign
            campaign={campaign}
            facts={facts}
            warnings={check?.warnings ?? []}
            disabled={form.isDirty}
            onRefused={(fields) => showSendProblems("The newsletter was not sent", fields)}
          />
        </>
      }
    >
      <form noValidate onSubmit={handleSubmit(save)}>
        <div className="grid gap-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] xl:gap-8">
          <div className="grid min-w-0 content-start gap-6">
            <ConflictPanel
              ref={conflictPanel}
              conflicts={form.conflicts.map(({ name, theirs, mine }) => ({
                name,
                label: labels[name],
                theirs: displayText(theirs),
                mine: displayText(mine),
              }))}
              onSettle={(name, choice) => form.settle([name], choice)}
            />
            {saving.generalProblem && !hasConflict && (
              <Banner title="The draft was not saved.">
                {saving.generalProblem.message} What you typed is still here.
              </Banner>
            )}
            <PageSection title="Letter">
              <Field {...textField("subject")} maxLength={150} autoComplete="off" />
              <Field
                {...textField("preheader")}
                optional
                maxLength={150}
                hint="Inboxes show it beside the subject."
              />
              <Field
                {...textField("heading")}
                optional
                maxLength={120}
                hint="If empty, the subject is used."
              />
              <TextArea
                {...textField("body")}
                ref={bodyField}
                rows={12}
                spellCheck
                hint={
                  <>
                    An empty line begins a new paragraph. <MarkupHelp signs={textSigns} />
                  </>
                }
              />
              <div className="flex flex-wrap items-center gap-3">
                <May call="POST /api/admin/campaign-pictures">
                  <ChoosePicture
                    call="POST /api/admin/campaign-pictures"
                    name="Picture for the newsletter"
                    label="Add a picture"
                    reloads={false}
                    onUploaded={({ data }) =>
                      form.set({ body: withPicture(values.body, data.file, bodyField.current) })
                    }
                  />
                </May>
              </div>
              <h3 className="border-t border-line pt-5 font-sans text-ui font-semibold">Below the text</h3>
              <Select
                {...form.field("productId")}
                value={values.productId ?? ""}
                onChange={({ target }) => form.set({ productId: numberOrNull(target.value) })}
                label={labels.productId}
                error={fieldError("productId")}
                hint="With its picture and price."
              >
                <option value="">None</option>
                <Options of={facts.products.map(({ id, name }) => [id, name])} />
              </Select>
              <Select
                {...form.field("code", choiceOrNull)}
                label={labels.code}
                error={fieldError("code")}
                hint={
                  <>
                    Orders with it count as this newsletter’s result.{" "}
                    <Link className="link whitespace-nowrap" to="/admin/discounts/new">
                      New discount
                    </Link>
                  </>
                }
              >
                <option value="">None</option>
                {values.code !== null && !facts.codes.some(({ code }) => code === values.code) && (
                  <option value={values.code}>{values.code}</option>
                )}
                <Options of={facts.codes.map(({ code, sentence }) => [code, `${code}: ${sentence}`])} />
              </Select>
              {values.code !== null && (
                <Switch
                  {...form.field("personalCodes")}
                  label={labels.personalCodes}
                  hint={`Each works once, with the terms of ${values.code}. ${values.code} is not in the email. It still works for anyone who enters it.`}
                />
              )}
              <div className="grid gap-4 sm:grid-cols-2">
                <Field
                  {...textField("buttonLabel")}
                  optional
                  maxLength={40}
                  hint="Such as “Read our story”."
                />
                <Field {...textField("buttonUrl")} optional inputMode="url" hint="/story or https://…" />
              </div>
            </PageSection>
            <PageSection title="Readers" lead="Only people who confirmed their sign-up and have not left.">
              <Select {...form.field("audience")} label={labels.audience}>
                <Options of={Object.entries(audienceNames)} />
              </Select>
              {values.audience === "segment" && (
                <SegmentFields form={form} products={facts.products} fieldError={fieldError} />
              )}
              <p className="text-ui" role="status">
                {check && <Recipients count={check.recipients} />}
              </p>
              <SendNotes facts={facts} warnings={check?.warnings ?? []} />
            </PageSection>
          </div>
          <EmailPreview check={check} />
        </div>
        <SaveBar
          isDirty={form.isDirty}
          busy={saving.busy}
          onDiscard={() => form.reset()}
          saveLabel="Save draft"
        />
      </form>
      <div className="mt-6">
        <DeleteDraft id={id} />
      </div>
    </AdminPage>
  );
}

/**
 * Inserts a picture on a separate line at the cursor. The cursor moves between the brackets, where the description goes.
 */
function withPicture(body: string, file: string, area: HTMLTextAreaElement | null): string {
  const at = area?.selectionEnd ?? body.length;
  const [before, after] = [body.slice(0, at).trimEnd(), body.slice(at).trimStart()];
  const start = `${before}${before === "" ? "" : "\n\n"}![`;
  setTimeout(() => {
    area?.focus();
    area?.setSelectionRange(start.length, start.length);
  });
  return `${start}](${file})\n\n${after}`;
}

function Recipients({ count }: { count: number }) {
  return count === 0 ? (
    <>Nobody gets it at present.</>
  ) : (
    <>
      <strong>{count.toLocaleString("en-US")}</strong> {count === 1 ? "subscriber gets" : "subscribers get"}{" "}
      it at present.
    </>
  );
}

const numberOrNull = (text: string) => (text.trim() === "" ? null : Number(text));

function SegmentFields({
  form,
  products,
  fieldError,
}: {
  form: Pick<ReturnType<typeof useSavedForm<CampaignContent>>, "field" | "values" | "set">;
  products: CampaignFacts["products"];
  fieldError: (name: string) => string | undefined;
}) {
  const { segment } = form.values;
  const set = (change: Partial<typeof segment>) => form.set({ segment: { ...segment, ...change } });
  return (
    <fieldset className="grid min-w-0 gap-4 sm:grid-cols-2">
      <legend className="mb-2 text-small font-semibold">Only subscribers who meet all of these</legend>
      <div className="sm:col-span-2">
        <Switch {...form.field("segment.boughtOnce")} label="Has bought only once" />
      </div>
      <Field
        name="segment.notForWeeks"
        label="No order for this many weeks"
        optional
        type="number"
        inputMode="numeric"
        min={1}
        value={segment.notForWeeks ?? ""}
        onChange={({ target }) => set({ notForWeeks: numberOrNull(target.value) })}
        error={fieldError("segment.notForWeeks")}
      />
      <Select
        name="segment.productId"
        label="Has bought"
        value={segment.productId ?? ""}
        onChange={({ target }) => set({ productId: numberOrNull(target.value) })}
      >
        <option value="">Anything</option>
        <Options of={products.map(({ id, name }) => [id, name])} />
      </Select>
      <Field
        {...form.field("segment.tag", orNull)}
        label="Has the tag"
        maxLength={40}
        error={fieldError("segment.tag")}
      />
      <Select {...form.field("segment.country", choiceOrNull)} label="Country">
        <option value="">Any</option>
        <Options of={countries} />
      </Select>
    </fieldset>
  );
}

function DeleteDraft({ id }: { id: number }) {
  const navigate = useNavigate();
  return (
    <ButtonWithConfirmation
      call="DELETE /api/admin/campaigns/:id"
      label="Delete draft"
      title="Delete this draft?"
      description="It has not been sent. Deleting it cannot be undone."
      confirmLabel="Delete draft"
      busyText="Deleting..."
      success={{ title: "Draft deleted" }}
      send={(run) => run({ params: { id: String(id) }, reloads: false })}
      onDone={() => navigate("/admin/campaigns")}
    />
  );
}
