import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Opens labels in a new tab, ready to print, and notes that they were. */
export function PrintLabel({
  labelIds,
  url,
  className = buttonClass({ variant: "secondary", size: "small" }),
  children,
}: {
  labelIds: string[];
  url: string;
  className?: string;
  children: ReactNode;
}) {
  const printed = useAdminAction("POST /api/admin/labels/printed", {
    failure: "That the label was printed was not noted",
  });
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={className}
      onClick={() => void printed.run({ body: { labelIds } })}
    >
      <Icon glyph={Printer} size="small" /> {children}
    </a>
  );
}
