import { useState } from "react";
import type { CustomerRow } from "../../../../domain/customers/customer.ts";
import { homeCountry } from "../../../../domain/shipping/shipping-policy.ts";
import { Field } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";
import type { DraftContents } from "./draft-contents.ts";

type Recipient = Pick<DraftContents, "email" | "customerName" | "phone" | "shipping">;

const debounceMs = 250;
const maxResults = "5";

/** Finds a customer by name or e-mail address; `onPick` receives their details and the address of their latest order. */
export function CustomerSearch({ onPick }: { onPick: (recipient: Recipient) => void }) {
  const [q, setQ] = useState("");
  const [announcement, setAnnouncement] = useState("");
  const searchText = q.trim();
  const { body, isCurrent } = useApiResult(
    searchText === "" ? null : searchText,
    (text, signal) =>
      withUnlock(() =>
        callApi("GET /api/admin/customers", { query: { q: text, limit: maxResults }, signal }),
      ),
    debounceMs,
  );
  const foundCustomers = searchText === "" ? [] : (body?.data ?? []);

  async function pick(row: CustomerRow) {
    const customer = await withUnlock(() =>
      callApi("GET /api/admin/customers/:id", { params: { id: String(row.id) } }),
    );
    const [latestOrder] = customer.ok ? customer.body.data.recentOrders : [];
    const orderResponse =
      latestOrder &&
      (await withUnlock(() => callApi("GET /api/admin/orders/:id", { params: { id: latestOrder.id } })));
    const address = orderResponse?.ok ? orderResponse.body.data.shipping : null;
    onPick({
      email: row.email,
      customerName: row.name,
      phone: row.phone,
      shipping: address ?? {
        line1: "",
        line2: null,
        city: row.city ?? "",
        state: "",
        postalCode: "",
        country: row.country ?? homeCountry,
      },
    });
    setQ("");
    // The pressed button disappears. The fields that it filled in follow the search field.
    document.getElementById("find-customer")?.focus();
    setAnnouncement(`${row.name || row.email} filled in.`);
  }

  return (
    <div className="sm:col-span-2">
      <Field
        label="Find a customer"
        name="find-customer"
        type="search"
        optional
        autoComplete="off"
        hint="By name or email. Fills in everything below."
        value={q}
        onChange={(event) => {
          setQ(event.target.value);
          setAnnouncement("");
        }}
        // Enter would submit the form around it and save the draft.
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          if (isCurrent && foundCustomers[0]) void pick(foundCustomers[0]);
        }}
      />
      <p role="status" className="sr-only">
        {announcement || (searchText !== "" && isCurrent ? `${foundCustomers.length} found.` : "")}
      </p>
      {foundCustomers.length > 0 && (
        <ul aria-label="Customers found" className="mt-2 divide-y divide-line rounded-sm border border-line">
          {foundCustomers.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                className="block min-h-11 w-full px-3.5 py-2 text-left text-ui wrap-anywhere -outline-offset-2! hover:bg-cream-soft"
                onClick={() => void pick(row)}
              >
                {row.name || row.email}
                <span className="block text-small text-ink-muted">
                  {row.email}
                  {row.city && `, ${row.city}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {searchText !== "" && isCurrent && foundCustomers.length === 0 && (
        <p className="mt-2 text-small text-ink-muted">No customer found. Fill in the fields below.</p>
      )}
    </div>
  );
}
