import { useState } from "react";
import { accessCodeLength } from "../../../../domain/admin/admin.ts";
import type { ConnectionsState } from "../../../../domain/connections/connections.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

type State = ConnectionsState["accessCode"];

/** The code that opens the panel without a passkey. */
export function AccessCodeCard({ state }: { state: State }) {
  const { source, updatedAt } = state;
  return (
    <Card className="scroll-mt-4 p-[clamp(1.25rem,1rem+1vw,1.75rem)]" id="access-code">
      <section aria-labelledby="access-code-title" className="grid gap-4">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id="access-code-title" className="card-title">
              Access code
            </h3>
            {source === "environment" && <Badge tone="cream">Set on the server</Badge>}
            {source === "generated" && <Badge tone="yellow">Initial code</Badge>}
          </div>
          <p className="mt-1.5 max-w-160 text-small text-ink-muted">
            Signs you in as the owner: on the first day, or when every passkey is lost. Keep it somewhere
            safe, and not on your phone.
          </p>
        </div>
        <p className="text-ui">
          {source === "environment" ? (
            <>
              Whoever runs the server changes it there, which signs everybody out.
              <span className="block text-caption text-ink-muted">ADMIN_ACCESS_CODE</span>
            </>
          ) : source === "generated" ? (
            "This is the code that the first start printed. It may still be in that log, so change it."
          ) : (
            <>
              Last changed <ShortDay iso={updatedAt} withTime />.
            </>
          )}
        </p>
        {source !== "environment" && (
          <div>
            <DialogButton
              className="max-sm:w-full"
              dialog={(onClose) => <AccessCodeForm state={state} onClose={onClose} />}
            >
              Change the access code
            </DialogButton>
          </div>
        )}
      </section>
    </Card>
  );
}

function AccessCodeForm({ state: { sessions }, onClose }: { state: State; onClose: () => void }) {
  const [isShown, setShown] = useState(false);
  const form = useAdminForm(
    "PUT /api/admin/connections/access-code",
    { code: "", everybody: false },
    { success: { title: "The access code is changed" } },
  );
  const { code } = form.values;
  const otherSessions = sessions === 1 ? "One other session" : `${sessions} other sessions`;
  return (
    <FormDialog
      title="Change the access code"
      description={
        sessions === 0
          ? "Nobody else is signed in with the old code. You stay signed in here."
          : `${otherSessions} started with the old code will end. You stay signed in here.`
      }
      form={form}
      submitLabel="Change the code"
      busyText="Changing..."
      failure="The code was not changed."
      isReady={code.trim().length >= accessCodeLength.min}
      send={() => form.run({ body: form.values })}
      onClose={onClose}
    >
      <Field
        {...form.field("code")}
        label="New access code"
        type={isShown ? "text" : "password"}
        autoComplete="new-password"
        autoCapitalize="off"
        spellCheck={false}
        required
        minLength={accessCodeLength.min}
        maxLength={accessCodeLength.max}
        hint={`${accessCodeLength.min} characters or more; better 16. Write it down first: it is not shown again.`}
      />
      <div className="-mt-3 flex flex-wrap gap-x-5">
        <TextButton onClick={() => setShown(!isShown)} aria-pressed={isShown}>
          Show the code
        </TextButton>
        <TextButton
          onClick={() => {
            form.set({ code: generateCode() });
            setShown(true);
          }}
        >
          Generate a code
        </TextButton>
      </div>
      <Switch
        {...form.field("everybody")}
        label="Sign everybody else out too"
        hint="Includes everybody who signed in with a passkey"
      />
    </FormDialog>
  );
}

const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** `ab2c-d3ef-...`, generated in the browser so that the server never sends a code. */
function generateCode(): string {
  const letters: string[] = [];
  while (letters.length < 16) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 248 is a multiple of the alphabet's 31 letters; the remaining bytes would make some letters likelier.
    if (byte < 248) letters.push(alphabet[byte % alphabet.length] ?? "");
  }
  return [0, 4, 8, 12].map((start) => letters.slice(start, start + 4).join("")).join("-");
}
