import type { Attributes, Span, Tracer } from "@opentelemetry/api";
import type { Environment } from "./environment.ts";

/** Null: off, which costs a comparison. */
let tracer: Tracer | null = null;
/** For the last spans when the process stops (ms). */
const stopMs = 2_000;

/**
 * Sends traces by OTLP to where OTEL_EXPORTER_OTLP_ENDPOINT leads; all of OpenTelemetry's own variables apply. Answers
 * how to end it. The packages are only loaded here.
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
    // Limited in size; spans are dropped while the collector does not answer.
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  tracer = provider.getTracer("palmira");
  return async () => {
    tracer = null;
    const late = new Promise((resolve) => setTimeout(resolve, stopMs).unref());
    await Promise.race([provider.shutdown(), late]).catch(() => null);
    trace.disable();
  };
}

/**
 * Does some work as one span, below the one that is under way. Of an error only its kind is kept: its message may hold
 * personal data. `span` is null while tracing is off.
 */
export function traced<T>(
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

/** The same for work that answers by callback: call what it returns when it is done. Null while tracing is off. */
export function beginSpan(name: string, attributes: Attributes): ((error: unknown) => void) | null {
  const span = tracer?.startSpan(name, { attributes });
  if (!span) return null;
  return (error) => {
    if (error) setFailed(span, error);
    span.end();
  };
}

/** The number of OpenTelemetry's status "error". */
const failed = 2;

function setFailed(span: Span, error: unknown): void {
  span.setStatus({ code: failed, message: error instanceof Error ? error.name : "Error" });
}
