import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { controlClass } from "../../../ui/field.tsx";

/** A link to hand on, shown this once: the shop keeps only its trace. */
export function ShownLink({ name, link, onClose }: { name: string; link: string; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`The link for ${name}`}
      description="It is shown only now, works once, and for three days. Hand it on to nobody else: whoever opens it is that person."
      actions={
        <>
          <Button variant="secondary" size="small" onClick={onClose}>
            Done
          </Button>
          <Button size="small" onClick={() => void copy()}>
            {isCopied ? "Copied" : "Copy the link"}
          </Button>
        </>
      }
    >
      <input
        readOnly
        aria-label="Link"
        value={link}
        className={`${controlClass} mt-4`}
        onFocus={(event) => event.target.select()}
      />
      <p role="status" className="sr-only">
        {isCopied && "Copied"}
      </p>
    </Dialog>
  );
}
