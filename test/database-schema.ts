import type pg from "pg";

/**
 * Everything that the shop's migrations define in a database, one line each, sorted: tables, columns, defaults, constraints,
 * indexes, sequences, functions and triggers. The order of a table's columns and `NOT VALID` are left out: neither changes
 * what a program may read or write from then on.
 */
export async function readDatabaseSchema(client: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `with own as (select * from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
        and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e'))
    select format('%s %s persistence %s options %s', relkind, relname, relpersistence, reloptions) as line from own
    union all
    select format('column %s.%s %s%s%s default %s storage %s compression %s statistics %s', own.relname, attname,
        format_type(atttypid, atttypmod), case when attnotnull then ' not null' end,
        case when attgenerated = 's' then ' generated' end || case when attidentity <> '' then ' identity' end,
        pg_get_expr(adbin, adrelid), attstorage, attcompression, nullif(attstattarget, -1))
      from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where own.relkind = 'r'
    union all
    select format('constraint %s on %s: %s', conname, conrelid::regclass, replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''))
      from pg_constraint c join own on own.oid = conrelid where contype <> 'n'
    union all
    select format('index %s', pg_get_indexdef(indexrelid)) from pg_index join own on own.oid = indrelid
    union all
    select format('sequence %s %s start %s owned by %s', s.sequencename, s.data_type, s.start_value,
        (select format('%s.%s', refobjid::regclass, refobjsubid) from pg_depend where objid = own.oid and deptype in ('a', 'i')))
      from own join pg_sequences s on s.schemaname = 'public' and s.sequencename = own.relname where own.relkind = 'S'
    union all
    select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('trigger %s', pg_get_triggerdef(t.oid)) from pg_trigger t where not tgisinternal
    union all
    select format('extension %s', extname) from pg_extension`,
  );
  return rows.map(({ line }) => line).sort();
}
