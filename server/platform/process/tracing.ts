import type { Attributes, Span, Tracer } from "@opentelemetry/api";
import type { Environment } from "./environment.ts";

/** Null while tracing is off. */
let tracer: Tracer | null = null;
/** Time limit (ms) for sending the last spans when the process stops. */
const stopMs = 2_000;

/**
 * Sends traces by OTLP to OTEL_EXPORTER_OTLP_ENDPOINT; all variables of OpenTelemetry apply. Returns a function that stops
 * it. The packages are only loaded here.
 */
export async function startTracing(environment: Environment): Promise<() => Promise<void>> {
  for (const [name, value] of Object.entries(environment)) {
    // The packages read the process's own environment, not the file.
    if (name.startsWith("OTEL_") && value) process.env[name] ??= value;
  }
  const [{ trace }, { defaultResource, resourceFromAttributes }, { OTLPTraceExporter }, sdk] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/sdk-trace-node"),
    ]);
  const name = process.env.OTEL_SERVICE_NAME ?? "palmira";
  const provider = new sdk.NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ "service.name": name })),
    // Limited in size; spans are dropped while the collector does not respond.
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  tracer = provider.getTracer("palmira");
  return async () => {
    tracer = null;
    const timeout = new Promise((resolve) => setTimeout(resolve, stopMs).unref());
    await Promise.race([provider.shutdown(), timeout]).catch(() => null);
    trace.disable();
  };
}

/**
 * Runs work as a span below the current one. Records only the kind of an error, since its message may contain personal
 * data. `span` is null while tracing is off.
 */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (!tracer) return work(null);
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      setFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Begins a span for work with a callback: call the returned function at its end. Null while tracing is off. */
export function beginSpan(name: string, attributes: Attributes): ((error: unknown) => void) | null {
  const span = tracer?.startSpan(name, { attributes });
  if (!span) return null;
  return (error) => {
    if (error) setFailed(span, error);
    span.end();
  };
}

/** The number of OpenTelemetry's status "error". */
const errorStatus = 2;

function setFailed(span: Span, error: unknown): void {
  span.setStatus({ code: errorStatus, message: error instanceof Error ? error.name : "Error" });
}
