import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { errorCode } from '../lib/error-code.ts'
import { activeTraceParent, currentTraceParent, parseTraceIds, type Tracer } from '../lib/tracer.ts'
import type { Clock } from '../lib/time/clock.ts'

export type SamplerName = `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`

type Parts = {
  resource: Resource
  version: string
  clock: Clock
  sampler: { name: SamplerName; ratio: number }
  batchDelayMs: number
  exportTimeoutMs: number
  /** True if the spans were accepted. */
  exportSpans(spans: ReadableSpan[]): Promise<boolean>
}

/** Finished spans that wait to be exported. Further ones are dropped. */
const MAX_WAITING_SPANS = 8_192
const MAX_SPANS_PER_EXPORT = 512
const MAX_TEXT_CHARS = 256

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

/** A tracer whose spans are exported in batches. `flush` also ends the export of further spans. */
export function createExportingTracer(parts: Parts): { tracer: Tracer; flush(): Promise<void> } {
  const { clock } = parts
  const provider = new TracerProvider({
    resource: parts.resource,
    sampler: createSampler(parts.sampler),
    spanLimits: { attributeValueLengthLimit: MAX_TEXT_CHARS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createSpanExporter(parts.exportSpans),
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_SPANS_PER_EXPORT,
        scheduledDelayMillis: parts.batchDelayMs,
        // The export has the same limit. This one ends an export that never calls back.
        exportTimeoutMillis: parts.exportTimeoutMs + 1_000,
      }),
    ],
  })
  const sdk = provider.getTracer('hansard', parts.version)

  const start: Tracer['start'] = (name, { kind = 'internal', parent, attributes, ageMs = 0 }) => {
    // All nodes use one clock, so that the steps of a trace are in order.
    const startTime = clock.now().getTime() - ageMs
    const startedAt = performance.now() - ageMs
    const options = {
      kind: KINDS[kind],
      startTime,
      ...(attributes !== undefined && { attributes }),
    }
    const span = sdk.startSpan(
      name,
      options,
      toContext(parent === undefined ? currentTraceParent() : parent),
    )
    const { traceId, spanId, traceFlags } = span.spanContext()
    let isEnded = false
    return {
      traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      set: (values) => void span.setAttributes(values),
      fail(errorType) {
        span.setAttribute('error.type', errorType)
        span.setStatus({ code: SpanStatusCode.ERROR })
      },
      end() {
        if (isEnded) return
        isEnded = true
        span.end(startTime + performance.now() - startedAt)
      },
    }
  }
  const tracer: Tracer = {
    start,
    runAfter: (traceParent, work) =>
      traceParent === null
        ? activeTraceParent.exit(work)
        : activeTraceParent.run(traceParent, work),
    async run(name, options, work) {
      const span = start(name, options)
      try {
        return await tracer.runAfter(span.traceParent, () => work(span))
      } catch (error) {
        span.fail(errorTypeOf(error))
        throw error
      } finally {
        span.end()
      }
    },
  }
  return { tracer, flush: async () => provider.shutdown() }
}

/** The message of an error may quote what people said, so only its code or its class is exported. */
function errorTypeOf(error: unknown): string {
  return errorCode(error) || (error instanceof Error ? error.name : 'unknown')
}

function toContext(traceParent: string | null): Context {
  if (traceParent === null) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(traceParent.slice(53, 55), 16)
  const spanContext = { ...parseTraceIds(traceParent), traceFlags, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, spanContext)
}

function createSampler({ name, ratio }: Parts['sampler']): Sampler {
  const root = createRootSampler(name.replace('parentbased_', ''), ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function createRootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler()
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
}

/** A failed export is no error of the SDK, which would report it again. The sender has logged it. */
function createSpanExporter(exportSpans: Parts['exportSpans']): SpanExporter {
  return {
    export(spans, callback) {
      const send = async () => {
        await exportSpans(spans)
        callback({ code: 0 })
      }
      void send()
    },
    async shutdown() {},
  }
}
