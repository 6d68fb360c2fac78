import { useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { controlClass } from "../../../ui/field.tsx";
import { PanelButton } from "./action-button.tsx";

/** A secret to copy. It is displayed only once, because the shop cannot show it again. */
export function ShownOnce({
  title,
  description,
  label,
  value,
  copyLabel,
  onClose,
}: {
  title: string;
  description: string;
  label: string;
  value: string;
  copyLabel: string;
  onClose: () => void;
}) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <PanelButton onClick={onClose}>Done</PanelButton>
          <PanelButton variant="primary" onClick={() => void copy()}>
            {isCopied ? "Copied" : copyLabel}
          </PanelButton>
        </>
      }
    >
      <input
        readOnly
        aria-label={label}
        value={value}
        className={`${controlClass} mt-4`}
        onFocus={(event) => event.target.select()}
      />
      <p role="status" className="sr-only">
        {isCopied && "Copied"}
      </p>
    </Dialog>
  );
}
