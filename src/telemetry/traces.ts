import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Attributes,
  type HrTime,
  type SpanContext,
  type SpanStatus,
} from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { errorCode } from '../lib/error-code.ts'
import {
  activeTraceParent,
  currentTraceParent,
  isRecordedTrace,
  parseTraceIds,
  traceStateOf,
  type Span,
  type SpanAttributes,
  type Tracer,
} from '../lib/tracer.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createIdSource } from './trace-ids.ts'

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
const MAX_LINKS = 128

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}
const NO_EVENTS: ReadableSpan['events'] = []
const UNSET: SpanStatus = { code: SpanStatusCode.UNSET }
const ERROR: SpanStatus = { code: SpanStatusCode.ERROR }

/**
 * A tracer whose spans are exported in batches. `flush` also ends the export of further spans. The queue, the sampler by
 * ratio and the formats are those of OpenTelemetry's SDK. Spans are created here, because each one of the SDK costs
 * several times as much, even of a trace that is not recorded.
 */
export function createExportingTracer(parts: Parts): { tracer: Tracer; flush(): Promise<void> } {
  const { clock, resource } = parts
  const instrumentationScope = { name: 'hansard', version: parts.version }
  const newId = createIdSource()
  const isSampled = createSampler(parts.sampler)
  const processor = new BatchSpanProcessor({
    exporter: createSpanExporter(parts.exportSpans),
    maxQueueSize: MAX_WAITING_SPANS,
    maxExportBatchSize: MAX_SPANS_PER_EXPORT,
    scheduledDelayMillis: parts.batchDelayMs,
    // The export has the same limit. This one ends an export that never calls back.
    exportTimeoutMillis: parts.exportTimeoutMs + 1_000,
  })

  const start: Tracer['start'] = (name, options) => {
    const { kind = 'internal', parent = currentTraceParent(), ageMs = 0 } = options
    const traceId = parent === null ? newId(16) : parseTraceIds(parent).traceId
    if (!isSampled(traceId, parent)) return createUnrecordedSpan(parent, traceId, newId)
    const state = parent === null ? '' : traceStateOf(parent)
    const context = createSpanContext(traceId, newId(8), state)
    // All nodes use one clock, so that the steps of a trace are in order.
    const startMs = clock.now().getTime() - ageMs
    const startedAt = performance.now() - ageMs
    const attributes: Attributes = {}
    addAttributes(attributes, options.attributes)
    let status = UNSET
    let isEnded = false
    return {
      traceParent: `00-${traceId}-${context.spanId}-01${state && ` ${state}`}`,
      set: (values) => addAttributes(attributes, values),
      fail(errorType) {
        addAttributes(attributes, { 'error.type': errorType })
        status = ERROR
      },
      end() {
        if (isEnded) return
        isEnded = true
        const durationMs = performance.now() - startedAt
        processor.onEnd({
          name,
          kind: KINDS[kind],
          spanContext: () => context,
          ...(parent !== null && { parentSpanContext: toSpanContext(parent) }),
          startTime: toHrTime(startMs),
          endTime: toHrTime(startMs + durationMs),
          duration: toHrTime(durationMs),
          status,
          attributes,
          links: (options.links ?? [])
            .slice(0, MAX_LINKS)
            .map((link) => ({ context: toSpanContext(link) })),
          events: NO_EVENTS,
          ended: true,
          resource,
          instrumentationScope,
          droppedAttributesCount: 0,
          droppedEventsCount: 0,
          droppedLinksCount: Math.max(0, (options.links?.length ?? 0) - MAX_LINKS),
        })
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
      if (span.traceParent === currentTraceParent()) return work(span)
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
  return { tracer, flush: () => processor.shutdown() }
}

/** A step of a trace that is not recorded. What it causes continues the trace after its parent, and is not recorded either. */
function createUnrecordedSpan(
  parent: string | null,
  traceId: string,
  newId: (bytes: 8 | 16) => string,
): Span {
  const traceParent =
    parent === null
      ? `00-${traceId}-${newId(8)}-00`
      : isRecordedTrace(parent)
        ? `${parent.slice(0, 53)}00${parent.slice(55)}`
        : parent
  return { traceParent, set() {}, fail() {}, end() {} }
}

/** The message of an error may quote what people said, so only its code or its class is exported. */
function errorTypeOf(error: unknown): string {
  return errorCode(error) || (error instanceof Error ? error.name : 'unknown')
}

function addAttributes(attributes: Attributes, values: SpanAttributes = {}): void {
  for (const name in values) {
    const value = values[name]
    if (value === undefined) continue
    attributes[name] =
      typeof value === 'string' && value.length > MAX_TEXT_CHARS
        ? value.slice(0, MAX_TEXT_CHARS)
        : value
  }
}

function createSpanContext(traceId: string, spanId: string, state: string): SpanContext {
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
  return state === '' ? context : { ...context, traceState: createTraceState(state) }
}

/** The position may be in another process. */
function toSpanContext(traceParent: string): SpanContext {
  const traceFlags = isRecordedTrace(traceParent) ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { ...parseTraceIds(traceParent), traceFlags, isRemote: true }
}

/** Decides by the parent, if the sampler is named so, and otherwise by the id of the trace. */
function createSampler({ name, ratio }: Parts['sampler']) {
  const followsParent = name.startsWith('parentbased_')
  const root = name.replace('parentbased_', '')
  const ratios: Record<string, number> = { always_on: 1, always_off: 0 }
  const byRatio = new TraceIdRatioBasedSampler(ratios[root] ?? ratio)
  return (traceId: string, parent: string | null): boolean => {
    if (followsParent && parent !== null) return isRecordedTrace(parent)
    return (
      byRatio.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
    )
  }
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
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
