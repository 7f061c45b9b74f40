import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { startLoopbackServer, type LoopbackServer } from './callbacks/loopback-receivers.ts'
import { eventually } from './time/eventually.ts'

type Value = { stringValue?: string; intValue?: number | string; arrayValue?: { values: Value[] } }
type Attribute = { key: string; value: Value }

/** A span as it is in OTLP, and the name of the service that sent it. */
export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
  service: string
}

type CollectedMetric = { name: string; [kind: string]: unknown }

type CollectorRequest = { path: string; headers: IncomingHttpHeaders; body: Buffer }

export type OtlpCollector = LoopbackServer & {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  requests: CollectorRequest[]
  spans(): CollectedSpan[]
  metrics(): CollectedMetric[]
  /** Answers further requests in another way. */
  setAnswer(answer: (response: ServerResponse) => void): void
  waitForSpan(matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan>
}

/** A collector on loopback that keeps what it gets as JSON. */
export async function openOtlpCollector(): Promise<OtlpCollector> {
  const requests: CollectorRequest[] = []
  let answer = (response: ServerResponse) => void response.writeHead(200).end('{}')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      requests.push({ path, headers, body: Buffer.concat(chunks) })
      answer(response)
    })
  })
  const listening = await startLoopbackServer(server)
  const readAll = (path: string) =>
    requests.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString()))
  const spans = () => readAll('/v1/traces').flatMap(toSpans)
  return Object.assign(listening, {
    endpoint: new URL(listening.url).origin,
    requests,
    spans,
    metrics: () => readAll('/v1/metrics').flatMap(toMetrics),
    setAnswer(given: typeof answer) {
      answer = given
    },
    waitForSpan: (matches: (span: CollectedSpan) => boolean) =>
      eventually(() => spans().find(matches) ?? null),
  })
}

/** The settings of a service that sends everything to this collector without delay. */
export function settingsFor({ endpoint }: { endpoint: string }): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_METRIC_EXPORT_INTERVAL: '3600000',
  }
}

export function attributesOf({ attributes }: CollectedSpan): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value]),
  )
}

type Scoped<Name extends string, Item> = { [K in Name]: Item[] }
type Export<Outer extends string, Inner extends string, Item> = {
  [K in Outer]: Array<{
    resource: { attributes: Attribute[] }
    scopeSpans?: Array<Scoped<Inner, Item>>
    scopeMetrics?: Array<Scoped<Inner, Item>>
  }>
}

function toSpans(body: Export<'resourceSpans', 'spans', CollectedSpan>): CollectedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name')
    const service = name?.value.stringValue ?? ''
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })))
  })
}

function toMetrics(body: Export<'resourceMetrics', 'metrics', CollectedMetric>): CollectedMetric[] {
  return body.resourceMetrics.flatMap(({ scopeMetrics = [] }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics),
  )
}

type ProtobufFields = Map<number, Buffer[]>

/** The fields of a protobuf message that are bytes, texts or messages. Numbers are skipped. */
export function readProtobuf(message: Buffer): ProtobufFields {
  const fields: ProtobufFields = new Map()
  let at = 0
  const readVarint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at] ?? 0
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return Number(value)
    }
  }
  while (at < message.length) {
    const tag = readVarint()
    const wireType = tag & 7
    if (wireType === 0) readVarint()
    else if (wireType === 1) at += 8
    else if (wireType === 5) at += 4
    else {
      const length = readVarint()
      fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), message.subarray(at, at + length)])
      at += length
    }
  }
  return fields
}
