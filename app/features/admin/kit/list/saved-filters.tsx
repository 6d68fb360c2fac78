import Bookmark from "lucide-react/icons/bookmark";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import {
  type FilteredList,
  filterQuery,
  type SavedFilter,
} from "../../../../../domain/admin/saved-filters.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { useMayCall } from "../../rights.ts";
import { DialogButton } from "../action-button.tsx";
import { ConfirmCall } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { useAdminForm } from "../use-admin-action.ts";

/** The list's saved filters as links, and a button that saves the current one. */
export function SavedFilters({ list, filters }: { list: FilteredList; filters: SavedFilter[] }) {
  const [search] = useSearchParams();
  const mayChange = useMayCall("POST /api/admin/order-filters");
  const [filterToDelete, setFilterToDelete] = useState<SavedFilter | null>(null);
  const currentQuery = filterQuery(list, search.toString());
  const currentFilter = filters.find(({ query }) => query === currentQuery);
  // A status tab is already a link, so it needs no saved filter.
  const isTab = [...new URLSearchParams(currentQuery).keys()].every((name) => name === "status");
  const canSave = mayChange && !isTab && !currentFilter;
  if (filters.length === 0 && !canSave) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {filters.length > 0 && (
        <ul aria-label="Saved filters" className="flex flex-wrap gap-2">
          {filters.map((filter) => {
            const isCurrent = filter === currentFilter;
            return (
              <li
                key={filter.id}
                className={`inline-flex items-center rounded-full border text-small font-medium ${isCurrent ? "border-forest-800 bg-forest-800 text-paper" : "border-line-strong"}`}
              >
                <Link
                  to={`?${filter.query}`}
                  preventScrollReset
                  aria-current={isCurrent ? "true" : undefined}
                  className={`inline-flex min-h-11 items-center wrap-anywhere no-underline forced-colors:aria-[current=true]:underline ${isCurrent && mayChange ? "pl-4" : "px-4"}`}
                >
                  {filter.name}
                </Link>
                {isCurrent && mayChange && (
                  <IconButton
                    label={`Delete the filter ${filter.name}`}
                    onClick={() => setFilterToDelete(filter)}
                  >
                    <Icon glyph={X} size="small" />
                  </IconButton>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {canSave && (
        <DialogButton
          variant="quiet"
          className={filters.length === 0 ? "-ml-3" : undefined}
          dialog={(onClose) => (
            <SaveFilter list={list} query={currentQuery} filters={filters} onClose={onClose} />
          )}
        >
          <Icon glyph={Bookmark} size="small" /> Save this filter
        </DialogButton>
      )}
      {filterToDelete && (
        <ConfirmCall
          onClose={() => setFilterToDelete(null)}
          title={`Delete the filter “${filterToDelete.name}”?`}
          description={`It is deleted for everybody in the panel. No ${list === "orders" ? "order" : "customer"} is changed.`}
          confirmLabel="Delete filter"
          busyText="Deleting..."
          call="DELETE /api/admin/order-filters/:id"
          send={(run) => run({ params: { id: String(filterToDelete.id) } })}
        />
      )}
    </div>
  );
}

function SaveFilter({
  list,
  query,
  filters,
  onClose,
}: {
  list: FilteredList;
  query: string;
  filters: SavedFilter[];
  onClose: () => void;
}) {
  const form = useAdminForm(
    "POST /api/admin/order-filters",
    { name: "" },
    { success: { title: "Filter saved" } },
  );
  const { name } = form.values;
  const existingFilter = filters.find((filter) => filter.name.toLowerCase() === name.trim().toLowerCase());
  return (
    <FormDialog
      title="Save this filter"
      description="Everybody in the panel sees it above the list."
      form={form}
      submitLabel={existingFilter ? "Replace filter" : "Save filter"}
      failure="The filter was not saved."
      isReady={name.trim() !== ""}
      send={() => form.run({ body: { list, name, query } })}
      onClose={onClose}
    >
      <Field
        {...form.field("name")}
        label="Name"
        name="filter-name"
        autoComplete="off"
        maxLength={40}
        hint={
          existingFilter
            ? "Replaces the existing filter of this name."
            : list === "orders"
              ? "Such as “To Canada, to ship”"
              : "Such as “In Canada, ordered again”"
        }
        error={form.fields.name ?? form.fields.query}
      />
    </FormDialog>
  );
}
