import type { OffSite } from "../../../../domain/backup/off-site.ts";
import { Field } from "../../../ui/field.tsx";
import { SecretField } from "../connections/key-forms.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";

const plainInput = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;

/** Form for the bucket and its key, which are tested before they are saved. */
export function BucketForm({ state, onClose }: { state: OffSite; onClose: () => void }) {
  const { destination, version } = state;
  const form = useAdminForm(
    "PUT /api/admin/off-site",
    {
      version,
      endpoint: destination?.endpoint ?? "",
      region: destination?.region ?? "",
      bucket: destination?.bucket ?? "",
      prefix: destination?.prefix ?? "",
      accessKeyId: destination?.accessKeyId ?? "",
      secretAccessKey: "",
      isPathStyle: destination?.isPathStyle ?? false,
    },
    { success: { title: "The bucket works and was saved" } },
  );
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = form.values;
  const hasStoredSecret =
    destination?.endpoint === endpoint.trim() && destination.accessKeyId === accessKeyId.trim();
  return (
    <FormDialog
      title="Bucket for off-site copies"
      description="Any service that speaks S3: Amazon, Cloudflare R2, Backblaze B2, a MinIO of your own. A small file is written, read, listed and deleted there before the bucket is saved."
      form={form}
      submitLabel="Test and save"
      busyText="Trying..."
      failure="Nothing was saved."
      isReady={
        [endpoint, region, bucket, accessKeyId].every((text) => text.trim() !== "") &&
        (hasStoredSecret || secretAccessKey !== "")
      }
      send={() => form.run({ body: form.values, timeoutMs: 60_000 })}
      onClose={onClose}
    >
      <Field
        {...form.field("endpoint")}
        {...plainInput}
        label="Address"
        required
        inputMode="url"
        placeholder="https://s3.eu-central-1.amazonaws.com"
        hint="Of the service, without the bucket"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...form.field("region")} {...plainInput} label="Region" required hint="At R2: auto" />
        <Field {...form.field("bucket")} {...plainInput} label="Bucket" required />
      </div>
      <Field
        {...form.field("prefix")}
        {...plainInput}
        label="Folder"
        optional
        hint="A folder in the bucket; give each shop its own"
      />
      <Field {...form.field("accessKeyId")} {...plainInput} label="Access key ID" required />
      <SecretField
        {...form.field("secretAccessKey")}
        label="Secret access key"
        isStored={hasStoredSecret}
        hint="Of a key that may read, write, list and delete only in this bucket"
      />
      <Switch
        {...form.field("isPathStyle")}
        label="Path style"
        hint="The bucket’s name follows the address after a slash, as on most MinIO servers"
      />
    </FormDialog>
  );
}

/** Asks for the passphrase: the new one that was just shown, or the one that encrypted the files already in the bucket. */
export function PassphraseForm({
  hasEncryptedFiles,
  onClose,
}: {
  hasEncryptedFiles: boolean;
  onClose: () => void;
}) {
  const form = useAdminForm(
    "PUT /api/admin/off-site/passphrase",
    { passphrase: "" },
    { success: { title: "Off-site copies begin within a minute" } },
  );
  return (
    <FormDialog
      title={hasEncryptedFiles ? "Passphrase of the files there" : "Type the passphrase back"}
      description={
        hasEncryptedFiles
          ? "The bucket has copies of this shop already. They are kept, and new ones get the same passphrase."
          : "This proves that you have kept it. Without it nobody can open the copies, not even you."
      }
      form={form}
      submitLabel="Begin"
      busyText="Comparing..."
      failure="Nothing was changed."
      isReady={form.values.passphrase.trim() !== ""}
      send={() => form.run({ body: form.values, timeoutMs: 60_000 })}
      onClose={onClose}
    >
      <Field {...form.field("passphrase")} {...plainInput} label="Passphrase" required />
    </FormDialog>
  );
}
