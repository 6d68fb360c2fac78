import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Opens labels in a new tab, ready to print, and records them as printed. */
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
  const recording = useAdminAction("POST /api/admin/labels/printed", {
    failure: "The label was not recorded as printed",
  });
  async function recordAsPrinted() {
    const response = await recording.run({ body: { labelIds } });
    const busyNumbers = response.ok ? response.body.data.busy : [];
    if (busyNumbers.length === 0) return;
    toast({
      title: "Not all labels were recorded as printed",
      description: `Somebody works on ${busyNumbers.map((number) => `#${number}`).join(", ")} right now. Print again in a moment.`,
      tone: "danger",
    });
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={className}
      onClick={() => void recordAsPrinted()}
    >
      <Icon glyph={Printer} size="small" /> {children}
    </a>
  );
}
