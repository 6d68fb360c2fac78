import ChevronDown from "lucide-react/icons/chevron-down";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import GripVertical from "lucide-react/icons/grip-vertical";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { EditedMenu, MenuLink } from "../../../../domain/content/menu.ts";
import { controlClass, Options, SelectBox } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { MoveButtons } from "../kit/rows/move-buttons.tsx";
import { useLineList } from "../kit/rows/use-line-list.ts";

const otherWebsite = "https://";

/**
 * Edits the links of one part of the menu: each row expands to the link's label and target. A link is moved by its
 * buttons, by dragging, or by Alt with an arrow key.
 */
export function MenuLinks({
  place,
  name,
  links,
  targets,
  problems,
  onChange,
}: {
  /** `header`, or `footer.1` for a column. */
  place: string;
  name: string;
  links: readonly MenuLink[];
  targets: EditedMenu["targets"];
  problems: Record<string, string>;
  onChange(links: MenuLink[]): void;
}) {
  /** Rows have no identity besides their place, so a move closes the open row. */
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const [draggedIndex, setDraggedIndex] = useState<number | null>(null);
  const list = useLineList(links, (next) => {
    setOpenIndex(next.length > links.length ? next.length - 1 : null);
    onChange(next);
  });
  const updateLink = (index: number, link: MenuLink, changes: Partial<MenuLink>) =>
    onChange([...links].with(index, { ...link, ...changes }));

  return (
    <div className="stack gap-1">
      {problems[place] && place !== "footer" && (
        <p id={place} tabIndex={-1} role="alert" className="text-small text-danger">
          {problems[place]}
        </p>
      )}
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {links.map((link, index) => {
          const id = `${place}.${index}`;
          const target = targets.find(({ to }) => to === link.to);
          const destination = target?.name ?? link.to;
          const isExternal = !target && !link.to.startsWith("/");
          const isOpen = openIndex === index || [`${id}.label`, `${id}.to`].some((field) => problems[field]);
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a link has no identity besides its place
              key={index}
              draggable={!isOpen}
              className={draggedIndex === index ? "opacity-60" : ""}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", link.label);
                setDraggedIndex(index);
              }}
              onDragOver={(event) => draggedIndex !== null && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (draggedIndex !== null) list.moveTo(draggedIndex, index, links[draggedIndex]?.label ?? "");
              }}
              onDragEnd={() => setDraggedIndex(null)}
            >
              <div className="flex items-center pr-1">
                <button
                  ref={isOpen ? undefined : list.inputRef(index)}
                  type="button"
                  aria-expanded={isOpen}
                  className="flex min-h-13 min-w-0 flex-1 items-center gap-2 py-1.5 pr-3.5 pl-3 text-left -outline-offset-2!"
                  onClick={() => setOpenIndex(openIndex === index ? null : index)}
                  onKeyDown={(event) => list.moveByKey(event, index, link.label)}
                >
                  <Icon glyph={GripVertical} size="small" className="cursor-grab text-ink-muted" />
                  <span className="min-w-0">
                    <span
                      className={`block truncate text-ui font-medium ${link.isHidden ? "text-ink-muted line-through" : ""}`}
                    >
                      {link.label || "New link"}
                    </span>
                    <span className="block truncate text-caption text-ink-muted">
                      {[
                        link.isHidden && "Hidden",
                        destination.toLowerCase() !== link.label.toLowerCase() && destination,
                      ]
                        .filter(Boolean)
                        .join(" · ")}
                    </span>
                  </span>
                  <Icon
                    glyph={ChevronDown}
                    size="small"
                    className={`ml-auto transition-transform duration-(--dur-2) ${isOpen ? "rotate-180" : ""}`}
                  />
                </button>
                <MoveButtons name={link.label} {...list.moveButtonProps(index, link.label)} />
              </div>
              {isOpen && (
                <div className="grid gap-2 px-3 pb-3 sm:grid-cols-2">
                  <input
                    type="text"
                    ref={list.inputRef(index)}
                    id={`${id}.label`}
                    aria-label={`${name}, link ${index + 1} of ${links.length}: label`}
                    {...invalidProps(problems, `${id}.label`)}
                    className={`${controlClass} min-h-11! py-2!`}
                    value={link.label}
                    onChange={({ target }) => updateLink(index, link, { label: target.value })}
                    onKeyDown={(event) => list.moveByKey(event, index, link.label)}
                  />
                  <SelectBox
                    id={isExternal ? undefined : `${id}.to`}
                    aria-label={`${link.label || `Link ${index + 1}`} leads to`}
                    {...(isExternal ? {} : invalidProps(problems, `${id}.to`))}
                    className="min-h-11! py-2!"
                    value={isExternal ? otherWebsite : link.to}
                    onChange={({ target }) => updateLink(index, link, { to: target.value })}
                  >
                    {!isExternal && !target && <option value={link.to}>{link.to}</option>}
                    <Options of={targets.map(({ to, name }) => [to, name])} />
                    <option value={otherWebsite}>Another website …</option>
                  </SelectBox>
                  {isExternal && (
                    <input
                      type="url"
                      id={`${id}.to`}
                      aria-label={`Address of ${link.label || `link ${index + 1}`}`}
                      {...invalidProps(problems, `${id}.to`)}
                      placeholder="https://"
                      className={`${controlClass} min-h-11! py-2! sm:col-span-2`}
                      value={link.to}
                      onChange={({ target }) =>
                        // Leading slashes are removed: the shop's own pages are in the list above.
                        updateLink(index, link, { to: target.value.replace(/^\/+/, "") })
                      }
                    />
                  )}
                  {(["label", "to"] as const).map(
                    (part) =>
                      problems[`${id}.${part}`] && (
                        <p
                          key={part}
                          id={`${id}.${part}-note`}
                          className="text-caption text-danger sm:col-span-2"
                        >
                          {problems[`${id}.${part}`]}
                        </p>
                      ),
                  )}
                  <div className="-ml-3 flex flex-wrap sm:col-span-2">
                    <PanelButton
                      variant="quiet"
                      onClick={() => updateLink(index, link, { isHidden: !link.isHidden })}
                    >
                      <Icon glyph={link.isHidden ? Eye : EyeOff} size="small" />
                      {link.isHidden ? "Show" : "Hide"}
                      <span className="sr-only"> {link.label}</span>
                    </PanelButton>
                    <PanelButton variant="quiet" onClick={() => list.remove(index, link.label)}>
                      <Icon glyph={Trash} size="small" /> Remove<span className="sr-only"> {link.label}</span>
                    </PanelButton>
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <div>
        <PanelButton
          variant="quiet"
          className="-ml-3"
          onClick={() => list.add({ label: "", to: "/", isHidden: false })}
        >
          <Icon glyph={Plus} size="small" /> Add a link
        </PanelButton>
      </div>
      <p className="sr-only" role="status">
        {list.announcement}
      </p>
    </div>
  );
}

function invalidProps(problems: Record<string, string>, id: string) {
  return problems[id] ? { "aria-invalid": true as const, "aria-describedby": `${id}-note` } : {};
}
