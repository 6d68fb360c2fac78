import { useState } from "react";
import { sizeText } from "../../../../domain/backup/backup-text.ts";
import type { OffSite } from "../../../../domain/backup/off-site.ts";
import { monthRange, periodName } from "../../../../domain/books/statement.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useRefreshWhile } from "../../../ui/browser/use-refresh-while.ts";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { ActionButton, DialogButton, PanelButton } from "../kit/action-button.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { Fact } from "../kit/rows/sum-row.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { ShownOnce } from "../kit/shown-once.tsx";
import { BucketForm, PassphraseForm } from "./off-site-forms.tsx";

/** Settings and state of the copies in a bucket elsewhere. */
export function OffSiteCard({ state }: { state: OffSite }) {
  const [isEnteringPassphrase, setEnteringPassphrase] = useState(false);
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const { destination, failure, version } = state;
  const isLocked = destination !== null && !["environment", "panel"].includes(state.passphrase);
  const isCopying = state.listedAt === null || state.waiting.files > 0;
  useRefreshWhile(destination !== null && !isLocked && failure === null && isCopying);
  return (
    <Card className="mb-8 scroll-mt-4 p-[clamp(1.25rem,1rem+1vw,1.75rem)]" id="off-site">
      <section aria-labelledby="off-site-title" className="grid gap-4">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 id="off-site-title" className="card-title">
              Off-site copies
            </h2>
            <StateBadge state={state} />
          </div>
          <p className="mt-1.5 max-w-160 text-small text-ink-muted">
            Each backup, the database’s log and, after each month, your accountant’s files are copied to a
            bucket elsewhere, encrypted before they leave. Sales and backups never wait for it.
          </p>
        </div>
        {state.isUnreadable && (
          <Banner title="The stored key cannot be read.">
            It was stored by a server with another key. Enter the bucket again, or have whoever runs the
            server set the right key on every server (SECRETS_KEY).
          </Banner>
        )}
        {failure && (
          <Banner title="Not everything is copied.">
            {failure.message}. Since <ShortDay iso={failure.since} withTime />; it is tried again
            automatically.
          </Banner>
        )}
        {isLocked && (
          <Banner tone="warning" title="Nothing is copied until there is a passphrase.">
            {passphraseTexts[state.passphrase]}
          </Banner>
        )}
        {destination && <Facts state={state} destination={destination} />}
        <div className="flex flex-wrap gap-2 max-sm:grid">
          {isLocked && state.passphrase !== "existing" && (
            <ActionButton
              call="POST /api/admin/off-site/passphrase"
              failure="No passphrase was created"
              variant={state.passphrase === "none" ? "primary" : "secondary"}
              busyText="Making..."
              send={async (run) => {
                const response = await run();
                if (response.ok) setPassphrase(response.body.data.passphrase);
              }}
            >
              {state.passphrase === "none" ? "Make a passphrase" : "Make another one"}
            </ActionButton>
          )}
          {isLocked && state.passphrase !== "none" && (
            <PanelButton variant="primary" onClick={() => setEnteringPassphrase(true)}>
              {state.passphrase === "existing" ? "Enter the passphrase" : "Type it back"}
            </PanelButton>
          )}
          <DialogButton
            variant={destination ? "secondary" : "primary"}
            dialog={(onClose) => <BucketForm state={state} onClose={onClose} />}
          >
            {destination ? "Change the bucket" : "Set up off-site copies"}
          </DialogButton>
          {destination && (
            <ButtonWithConfirmation
              call="DELETE /api/admin/off-site"
              success={{ title: "Off-site copies have ended" }}
              label="End the copies"
              title="End the off-site copies?"
              description="The bucket’s address and key are deleted here. The files in the bucket stay; keep their passphrase."
              confirmLabel="End them"
              send={(run) => run({ query: { version: String(version) } })}
            />
          )}
        </div>
      </section>
      {passphrase !== null && (
        <ShownOnce
          title="The passphrase"
          description="Write it down and keep it away from this machine, on paper too. It is shown only now, and without it nobody can open the copies. Next you are asked to type it back."
          label="Passphrase"
          value={passphrase}
          copyLabel="Copy the passphrase"
          onClose={() => {
            setPassphrase(null);
            setEnteringPassphrase(true);
          }}
        />
      )}
      {isEnteringPassphrase && (
        <PassphraseForm
          hasEncryptedFiles={state.passphrase === "existing"}
          onClose={() => setEnteringPassphrase(false)}
        />
      )}
    </Card>
  );
}

const passphraseTexts: Record<OffSite["passphrase"], string> = {
  none: "Make one: it encrypts the copies, and is shown once.",
  unconfirmed: "One was made but not typed back. If you do not have it, make another one.",
  existing: "The bucket has copies of this shop. Enter the passphrase that they were encrypted with.",
  environment: "",
  panel: "",
};

function StateBadge({ state: { destination, passphrase, failure, listedAt, waiting } }: { state: OffSite }) {
  if (destination === null) return <Badge tone="yellow">Off</Badge>;
  if (passphrase !== "environment" && passphrase !== "panel")
    return <Badge tone="yellow">Needs a passphrase</Badge>;
  if (failure) return <Badge tone="red">Failing</Badge>;
  if (listedAt === null) return <Badge tone="blue">Begins soon</Badge>;
  return waiting.files === 0 ? <Badge tone="green">Up to date</Badge> : <Badge tone="blue">Copying</Badge>;
}

function Facts({ state, destination }: { state: OffSite; destination: NonNullable<OffSite["destination"]> }) {
  const { backups, books, check, log, uploadedAt, waiting, passphrase } = state;
  const { bucket, prefix, endpoint } = destination;
  const url = `s3://${bucket}${prefix && `/${prefix}`}`;
  return (
    <dl className="grid gap-x-6 gap-y-2 text-ui sm:grid-cols-[max-content_minmax(0,1fr)]">
      <Fact label="Bucket">
        {url} at {new URL(endpoint).host}
      </Fact>
      {passphrase === "environment" && <Fact label="Passphrase">BACKUP_PASSPHRASE</Fact>}
      {uploadedAt !== null && (
        <Fact label="Last copied">
          <ShortDay iso={uploadedAt} withTime />
        </Fact>
      )}
      {waiting.files > 0 && (
        <Fact label="Waiting">
          {waiting.files === 1 ? "1 file" : `${waiting.files.toLocaleString("en-US")} files`},{" "}
          {sizeText(waiting.bytes)}
        </Fact>
      )}
      {log && (
        <Fact label="Any moment">
          from <ShortDay iso={log.from} withTime /> to <ShortDay iso={log.to} withTime />,{" "}
          {sizeText(log.bytes)}
        </Fact>
      )}
      {check && (
        <Fact label="Last test">
          <details>
            <summary className="cursor-pointer max-md:min-h-11 max-md:content-center">
              <span className={check.isGood ? "text-success" : "text-danger"}>
                {check.isGood ? "A downloaded copy was restored" : "The downloaded copy failed"}
              </span>{" "}
              on <ShortDay iso={check.at} />
            </summary>
            <ul className="mt-1 grid max-w-text gap-1 text-small text-ink-muted">
              {[check.name, ...check.lines].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        </Fact>
      )}
      {backups.length > 0 && (
        <Fact label="Backups there">
          <details>
            <summary className="cursor-pointer max-md:min-h-11 max-md:content-center">
              {backups.length}, the newest of <ShortDay iso={backups[0]?.takenAt ?? ""} withTime />
            </summary>
            <ul className="mt-1 grid gap-1 text-small text-ink-muted">
              {backups.map(({ name, bytes }) => (
                <li key={name}>
                  {name}, {sizeText(bytes)}
                </li>
              ))}
              <li>
                To restore one: <code className="break-all">npm run restore -- {url}</code>
              </li>
            </ul>
          </details>
        </Fact>
      )}
      {books.length > 0 && (
        <Fact label="Accountant’s files">
          <details>
            <summary className="cursor-pointer max-md:min-h-11 max-md:content-center">
              {books.length === 1 ? "1 month" : `${books.length} months`}, the newest {monthName(books[0])}
            </summary>
            <ul className="mt-1 grid gap-1 text-small text-ink-muted">
              {books.map((file) => (
                <li key={file.name}>
                  {monthName(file)}, {sizeText(file.bytes)}: {file.name}
                </li>
              ))}
              <li>
                To decrypt one:{" "}
                <code className="break-all">
                  npm run restore -- {url}/{books[0]?.name}
                </code>
              </li>
            </ul>
          </details>
        </Fact>
      )}
    </dl>
  );
}

const monthName = (file: OffSite["books"][number] | undefined) =>
  file ? periodName(monthRange(`${file.month}-01`)) : "";
