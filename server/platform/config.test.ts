import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "./config.ts";
import { type Environment, readEnvironment } from "./process/environment.ts";

const stripeKeys = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

function configFrom(environment: Environment) {
  const parsed = parseConfig(environment);
  if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
  return parsed.config;
}

function configProblems(environment: Environment): string[] {
  const parsed = parseConfig(environment);
  return parsed.ok ? [] : parsed.problems;
}

test("an empty environment gives the documented defaults", () => {
  expect(configFrom({})).toEqual({
    port: 5000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:5000",
    dataDir: resolve("data"),
    backupDir: { path: resolve("data/backups"), isConfigured: false },
    backups: { passphrase: null, runsNightly: true, runsBeforeMigration: true },
    databaseUrl: null,
    databaseWaitSeconds: 0,
    databaseDirectUrl: null,
    databaseLimits: {
      httpConnections: 5,
      jobConnections: 6,
      statementSeconds: 6,
      jobStatementSeconds: 60,
      lockSeconds: 5,
    },
    adminAccessCode: null,
    sessionSecret: null,
    secretsKey: { configuredKey: null, formerKeys: [] },
    payments: "sandbox",
    paymentsFrom: "panel",
    stripe: null,
    webhookSecret: null,
    mail: { smtpUrl: null, from: null, ownerEmail: null, connections: 8, newslettersPerMinute: 120 },
    twilio: null,
    webPushApiBase: null,
    webhookAllowsLocal: false,
    apiBases: { stripe: null, twilio: null, easypost: null, shippo: null },
    labelKeys: { easypost: null, shippo: null },
    addressLookup: null,
    trustProxy: [],
    drainSeconds: 0.5,
    reservationSeconds: 1800,
    reconcileEverySeconds: 300,
    logLevel: "info",
    metricsToken: null,
    hasTracing: false,
    sandboxEvents: "at_once",
  });
});

test("an empty variable counts as not set", () => {
  expect(configFrom({ PORT: "", STRIPE_SECRET_KEY: " ", PUBLIC_URL: "" })).toEqual(configFrom({}));
});

test("all problems are reported together, in one line each that names the variable and not its value", () => {
  const invalid = {
    PORT: "65536",
    PUBLIC_URL: "ftp://w-r-o-n-g",
    DATABASE_URL: "mysql://root:w-r-o-n-g@db/shop",
    SECRETS_KEY: "w-r-o-n-g",
    SECRETS_KEY_OLD: "w-r-o-n-g",
    PAYMENTS: "w-r-o-n-g",
    SMTP_URL: "https://w-r-o-n-g",
    MAIL_FROM: "w-r-o-n-g",
    OWNER_EMAIL: "w-r-o-n-g",
    TWILIO_AUTH_TOKEN: "w-r-o-n-g",
    WEB_PUSH_API_BASE: "w-r-o-n-g",
    WEBHOOK_ALLOW_LOCAL: "w-r-o-n-g",
    ADDRESS_LOOKUP: "w-r-o-n-g",
    TRUST_PROXY: "127.0.0.1, w-r-o-n-g",
    RESERVATION_S: "0",
    RECONCILE_EVERY_S: "1.5",
    LOG_LEVEL: "w-r-o-n-g",
    SANDBOX_EVENTS: "w-r-o-n-g",
  };

  const problems = configProblems(invalid);

  const reportedNames = problems.map((problem) => problem.split(":")[0]);
  const { TWILIO_AUTH_TOKEN: _, ...invalidByThemselves } = invalid;
  expect(reportedNames.toSorted()).toEqual(
    [...Object.keys(invalidByThemselves), "TWILIO_ACCOUNT_SID", "TWILIO_FROM"].toSorted(),
  );
  expect(problems.join("\n")).not.toContain("w-r-o-n-g");
  expect(problems.every((problem) => !problem.includes("\n"))).toBe(true);
});

describe("suggestions of addresses", () => {
  test("come from the service that has a key", () => {
    expect(configFrom({ LOQATE_KEY: "k" }).addressLookup).toEqual({
      provider: "loqate",
      key: "k",
      apiBase: null,
    });
    expect(configFrom({ GOOGLE_PLACES_KEY: "k" }).addressLookup?.provider).toBe("google");
    const both = { GOOGLE_PLACES_KEY: "g", LOQATE_KEY: "l" };
    expect(configFrom({ ...both, ADDRESS_LOOKUP: "google" }).addressLookup?.key).toBe("g");
    expect(configProblems(both)).toEqual([expect.stringMatching(/^ADDRESS_LOOKUP: /)]);
    expect(configProblems({ ADDRESS_LOOKUP: "loqate", GOOGLE_PLACES_KEY: "g" })).toEqual([
      expect.stringMatching(/^LOQATE_KEY: /),
    ]);
  });
});

describe("payments", () => {
  test("are processed through Stripe once all three keys are set", () => {
    expect(configFrom(stripeKeys)).toMatchObject({
      payments: "stripe",
      stripe: {
        secretKey: "sk_test_1",
        publishableKey: "pk_test_1",
        webhookSecret: "whsec_1",
        apiBase: null,
      },
    });
  });

  test.each(Object.keys(stripeKeys))("are refused without %s if PAYMENTS is stripe", (missing) => {
    const problems = configProblems({ ...stripeKeys, [missing]: "", PAYMENTS: "stripe" });

    expect(problems).toEqual([expect.stringMatching(`^${missing}: is missing`)]);
  });

  test("are simulated with PAYMENTS=sandbox, even if Stripe's keys are set", () => {
    expect(configFrom({ ...stripeKeys, PAYMENTS: "sandbox" })).toMatchObject({
      payments: "sandbox",
      stripe: null,
    });
  });

  test("are simulated on https only with PAYMENTS=sandbox", () => {
    const https = { PUBLIC_URL: "https://shop.example.com" };

    expect(configFrom(https)).toMatchObject({ payments: "stripe", paymentsFrom: "panel", stripe: null });
    expect(configFrom({ ...https, PAYMENTS: "sandbox" }).payments).toBe("sandbox");
  });

  test("wait for the panel's keys if PAYMENTS is stripe and no key is set", () => {
    expect(configFrom({ PAYMENTS: "stripe" })).toMatchObject({
      payments: "stripe",
      paymentsFrom: "panel",
      stripe: null,
    });
    expect(configFrom({}).paymentsFrom).toBe("panel");
    expect(configFrom({ PAYMENTS: "sandbox" }).paymentsFrom).toBe("environment");
    expect(configFrom(stripeKeys).paymentsFrom).toBe("environment");
  });

  test.each([
    ["live", "test"],
    ["test", "live"],
  ])("are refused when the secret key is for %s and the publishable one for %s", (secret, publishable) => {
    const mixed = {
      ...stripeKeys,
      STRIPE_SECRET_KEY: `sk_${secret}_1`,
      STRIPE_PUBLISHABLE_KEY: `pk_${publishable}_1`,
    };

    expect(configProblems(mixed)).toEqual([expect.stringContaining("STRIPE_PUBLISHABLE_KEY")]);
  });

  test("are refused if the publishable key is a secret key", () => {
    const swapped = { ...stripeKeys, STRIPE_PUBLISHABLE_KEY: "sk_test_1" };

    expect(configProblems(swapped)).toEqual(["STRIPE_PUBLISHABLE_KEY: must start with pk_"]);
  });
});

test.each(["127.0.0.1", "127.0.0.1,::1", "10.0.0.0/8, fd00::/8"])("TRUST_PROXY accepts %s", (value) => {
  expect(configFrom({ TRUST_PROXY: value }).trustProxy).toEqual(value.split(",").map((part) => part.trim()));
});

test.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "localhost", "127.0.0.1,"])(
  "TRUST_PROXY refuses %s",
  (value) => {
    expect(configProblems({ TRUST_PROXY: value })).toEqual([expect.stringMatching(/^TRUST_PROXY: /)]);
  },
);

test("PUBLIC_URL is read without its final slash, and refused with a path", () => {
  expect(configFrom({ PUBLIC_URL: "http://shop.example.com/" }).publicUrl).toBe("http://shop.example.com");
  expect(configProblems({ PUBLIC_URL: "http://example.com/shop" })).toEqual([
    expect.stringMatching(/^PUBLIC_URL: /),
  ]);
});

test("variables of the environment, even empty ones, take precedence over .env", async () => {
  const folder = await mkdtemp(join(tmpdir(), "palmira-env-"));
  const file = join(folder, ".env");
  await writeFile(file, "PORT=4000\nHOST=0.0.0.0\nMETRICS_TOKEN='with # sign'\n");

  const environment = readEnvironment({ PORT: "4100", HOST: "" }, file);
  await rm(folder, { recursive: true });

  expect(configFrom(environment)).toMatchObject({
    port: 4100,
    host: "127.0.0.1",
    metricsToken: "with # sign",
  });
});

test(".env.example documents exactly the variables that are read", () => {
  const example = readFileSync(join(import.meta.dirname, "../../.env.example"), "utf8");
  const documented = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);
  const readNames = new Set<string>();
  const watched = new Proxy<Environment>(
    {},
    {
      get(_target, name) {
        readNames.add(String(name));
        return undefined;
      },
    },
  );
  parseConfig(watched);

  expect(documented.toSorted()).toEqual([...readNames].toSorted());
});

test.each(["1234567", "a".repeat(201)])(
  "an access code that is too short or too long is refused: %s",
  (code) => {
    expect(configProblems({ ADMIN_ACCESS_CODE: code })).toEqual([
      "ADMIN_ACCESS_CODE: must have 8 to 200 characters",
    ]);
    expect(configFrom({ ADMIN_ACCESS_CODE: "12345678" }).adminAccessCode).toBe("12345678");
  },
);

test.each([
  ["smtp://shop:secret@mail.example.com:587", "smtp://shop:secret@mail.example.com:587?requireTLS=true"],
  ["smtp://shop:secret@mail.example.com:587?ignoreTLS=true", /[?&]requireTLS=true/],
  ["smtp://shop:secret@10.0.0.5", /\?requireTLS=true$/],
  ["smtp://shop:secret@mail.example.com:25?insecure=1", "smtp://shop:secret@mail.example.com:25"],
  ["smtps://shop:secret@mail.example.com", "smtps://shop:secret@mail.example.com"],
  ["smtp://mail.example.com:25", "smtp://mail.example.com:25"],
  ["smtp://shop:secret@127.0.0.1:2525", "smtp://shop:secret@127.0.0.1:2525"],
  ["smtp://shop:secret@localhost:2525", "smtp://shop:secret@localhost:2525"],
  ["smtp://shop:secret@[::1]:2525", "smtp://shop:secret@[::1]:2525"],
])("a password is sent to another machine's mail server only over TLS: %s", (SMTP_URL, expected) => {
  expect(configFrom({ SMTP_URL }).mail.smtpUrl).toEqual(
    typeof expected === "string" ? expected : expect.stringMatching(expected),
  );
});
