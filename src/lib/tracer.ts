import { AsyncLocalStorage } from 'node:async_hooks'

/** Values that describe a span. They never contain what people said, wrote or are called, nor secrets or whole URLs. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | string[] | undefined>
>

export type SpanOptions = {
  /** `server`: answers a request. `client`: sends one. `consumer`: takes work from a queue. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** The `traceparent` of what caused this. Null begins a new trace. By default, the span in which the code runs. */
  parent?: string | null
  /** The `traceparent` of what else caused this. */
  links?: readonly string[]
  attributes?: SpanAttributes
  /** Milliseconds since it began. */
  ageMs?: number
}

/** One step of a trace. */
export interface Span {
  /** The `traceparent` of what this step causes. Null if tracing is off. */
  readonly traceParent: string | null
  set(attributes: SpanAttributes): void
  /** Marks the step as failed. `errorType` is a code or the name of a class, never a message. */
  fail(errorType: string): void
  /** A second call does nothing. */
  end(): void
}

/**
 * Records what the service does as traces. Positions in a trace are texts in the W3C format `traceparent`. A space and the
 * `tracestate` follow if the caller who began the trace sent one.
 */
export interface Tracer {
  /** Runs work in a span that ends with the work. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** Starts a span that the caller ends. */
  start(name: string, options: SpanOptions): Span
  /** Runs work after a span that has ended or is in another process. */
  runAfter<T>(traceParent: string | null, work: () => T): T
}

const NO_SPAN: Span = { traceParent: null, set() {}, fail() {}, end() {} }

/** The tracer of a service that exports no traces. */
export const NO_TRACER: Tracer = {
  run: (_name, _options, work) => work(NO_SPAN),
  start: () => NO_SPAN,
  runAfter: (_traceParent, work) => work(),
}

/** The `traceparent` of the span in which code runs. It follows promises and timers. */
export const activeTraceParent = new AsyncLocalStorage<string>()

/** The `traceparent` to store with work that is done later. Null outside of a span. */
export function currentTraceParent(): string | null {
  return activeTraceParent.getStore() ?? null
}

/** Version, trace, span and flags. A later version may have further fields, which are ignored. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Null unless it is a `traceparent` of the W3C recommendation Trace Context. */
export function parseTraceParent(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 512) return null
  const known = text.startsWith('00-') ? text : text.slice(0, 55)
  const hasFurtherFields = text.length > 55 && text[55] !== '-'
  return TRACE_PARENT.test(known) && !hasFurtherFields ? `00${known.slice(2)}` : null
}

/** A member of the list `tracestate`: a key, perhaps with its tenant, and a value of printable ASCII. */
const TRACE_STATE_MEMBER =
  /^(?:[a-z][\w*/-]{0,255}|[a-z0-9][\w*/-]{0,240}@[a-z][\w*/-]{0,13})=[!-+\--<>-~ ]{0,255}[!-+\--<>-~]$/
const MAX_TRACE_STATE = { chars: 512, members: 32 }

type TraceHeaders = Readonly<Record<string, unknown>>

/** The position in a trace that a request names in its headers. Null without a valid `traceparent`. */
export function readTraceHeaders({ traceparent, tracestate }: TraceHeaders): string | null {
  const position = parseTraceParent(traceparent)
  const state = position === null ? '' : parseTraceState(tracestate)
  return state === '' ? position : `${position} ${state}`
}

/** An invalid list is left out, as the recommendation demands. */
function parseTraceState(text: unknown): string {
  if (typeof text !== 'string' || text.length > MAX_TRACE_STATE.chars) return ''
  const members = text.split(',').map((member) => member.trim())
  const isValid = members.every((member) => member === '' || TRACE_STATE_MEMBER.test(member))
  const given = members.filter((member) => member !== '')
  return isValid && given.length <= MAX_TRACE_STATE.members ? given.join(',') : ''
}

/** The headers that tell a receiver the position in a trace. None without one. */
export function toTraceHeaders(traceParent: string | null | undefined): Record<string, string> {
  if (traceParent === null || traceParent === undefined) return {}
  const tracestate = traceStateOf(traceParent)
  const traceparent = traceParent.slice(0, 55)
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}

/** Empty without one. */
export function traceStateOf(traceParent: string): string {
  return traceParent.slice(56)
}

/** True if the steps of this trace are recorded, unless the sampler of a node says otherwise. */
export function isRecordedTrace(traceParent: string): boolean {
  return (Number.parseInt(traceParent.slice(53, 55), 16) & 1) === 1
}

export function parseTraceIds(traceParent: string): { traceId: string; spanId: string } {
  return { traceId: traceParent.slice(3, 35), spanId: traceParent.slice(36, 52) }
}

/** The fields that join a line of the log with a trace. */
export function readTraceLogFields(): { trace_id?: string; span_id?: string } {
  const traceParent = activeTraceParent.getStore()
  if (traceParent === undefined) return {}
  const { traceId, spanId } = parseTraceIds(traceParent)
  return { trace_id: traceId, span_id: spanId }
}
