import { z } from 'zod'
import { hasUrlCredentials, integerInRange, nonEmptyText } from './setting-schemas.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const MAX_PAIRS = 64
/** A name and a value of the W3C format Baggage. */
const PAIR = /^\s*([\w!#$%&'*+.^`|~/-]{1,128})\s*=([^,;\p{Cc}]{0,4096})$/u

/** `name=value,name=value`, with percent-encoded values. */
const pairList = z.string().transform((text, context) => {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const pairs = parts.map((part) => {
    const [, name, value = ''] = PAIR.exec(part) ?? []
    const decoded = decodeOrNull(value.trim())
    return name === undefined || decoded === null ? null : ([name, decoded] as const)
  })
  const valid = pairs.filter((pair) => pair !== null)
  if (valid.length === pairs.length && valid.length <= MAX_PAIRS) return Object.fromEntries(valid)
  context.addIssue(`must be name=value pairs, separated by commas, at most ${MAX_PAIRS}`)
  return z.NEVER
})

function decodeOrNull(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? null : decoded
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

const collectorUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
  .refine(
    (url) => !hasUrlCredentials(url),
    'must not contain a password; use OTEL_EXPORTER_OTLP_HEADERS',
  )

const ratio = z
  .string()
  .refine((text) => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1, {
    error: 'must be a number from 0 to 1',
  })
  .transform(Number)

const exporter = z.enum(['otlp', 'none'])

/** Settings for traces and metrics by OpenTelemetry. The names and defaults are OpenTelemetry's own. */
export const TELEMETRY_SETTINGS = {
  otelEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: collectorUrl,
    about:
      'Address of an OpenTelemetry collector, such as http://localhost:4318, which gets traces at `/v1/traces` and metrics at `/v1/metrics`; if not set, nothing is exported, see [operate.md](operate.md#traces)',
  },
  otelTracesEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    schema: collectorUrl,
    about: 'Whole address for traces, if it is another one',
  },
  otelMetricsEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    schema: collectorUrl,
    about: 'Whole address for metrics, if it is another one',
  },
  otelHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    schema: pairList,
    isSecret: true,
    about:
      'Headers that are sent to the collector, such as `authorization=Bearer%20…`, separated by commas, with percent-encoded values',
  },
  otelProtocol: {
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    schema: z.enum(['http/protobuf', 'http/json']),
    default: 'http/protobuf',
    about: 'Format of what is sent to the collector: `http/protobuf` or `http/json`',
  },
  otelTimeoutMs: {
    env: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    schema: integerInRange(100, 60_000),
    default: '10000',
    about: 'Milliseconds that an export may take, with its retries',
  },
  otelCertificateFile: {
    env: 'OTEL_EXPORTER_OTLP_CERTIFICATE',
    schema: nonEmptyText,
    about: 'File with additional certificate authorities (PEM) to trust for the collector',
  },
  otelServiceName: {
    env: 'OTEL_SERVICE_NAME',
    schema: nonEmptyText,
    default: 'hansard',
    about: 'Name of this service in traces and metrics',
  },
  otelResourceAttributes: {
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    schema: pairList,
    about:
      'Further attributes of this service, such as `deployment.environment.name=production`, separated by commas',
  },
  otelTracesSampler: {
    env: 'OTEL_TRACES_SAMPLER',
    schema: z.enum(SAMPLERS),
    default: 'parentbased_always_on',
    about: `Which traces are recorded: ${SAMPLERS.map((name) => `\`${name}\``).join(', ')}`,
  },
  otelTracesSamplerArg: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    schema: ratio,
    default: '1',
    about: 'Share of the traces that a `traceidratio` sampler records, from 0 to 1',
  },
  otelTracesExporter: {
    env: 'OTEL_TRACES_EXPORTER',
    schema: exporter,
    default: 'otlp',
    about: '`none`: no traces are exported',
  },
  otelMetricsExporter: {
    env: 'OTEL_METRICS_EXPORTER',
    schema: exporter,
    default: 'otlp',
    about: '`none`: no metrics are exported',
  },
  otelBatchDelayMs: {
    env: 'OTEL_BSP_SCHEDULE_DELAY',
    schema: integerInRange(1, 60_000),
    default: '5000',
    about: 'Milliseconds after which finished spans are exported',
  },
  otelMetricIntervalMs: {
    env: 'OTEL_METRIC_EXPORT_INTERVAL',
    schema: integerInRange(100, 3_600_000),
    default: '60000',
    about: 'Milliseconds between two exports of metrics',
  },
  otelIsDisabled: {
    env: 'OTEL_SDK_DISABLED',
    schema: z.enum(['true', 'false']).transform((value) => value === 'true'),
    default: 'false',
    about: '`true`: nothing is exported',
  },
} as const

type TelemetryConfig = {
  readonly otelEndpoint: string | undefined
  readonly otelTracesEndpoint: string | undefined
  readonly otelMetricsEndpoint: string | undefined
  readonly otelTracesExporter: 'otlp' | 'none'
  readonly otelMetricsExporter: 'otlp' | 'none'
  readonly otelIsDisabled: boolean
}

/** The addresses that get traces and metrics. Null for what is not exported. */
export function findCollectorUrls(config: TelemetryConfig) {
  const urlOf = (exporterName: 'otlp' | 'none', ownUrl: string | undefined, path: string) => {
    if (config.otelIsDisabled || exporterName === 'none') return null
    return ownUrl ?? (config.otelEndpoint ? addPath(config.otelEndpoint, path) : null)
  }
  return {
    traces: urlOf(config.otelTracesExporter, config.otelTracesEndpoint, 'v1/traces'),
    metrics: urlOf(config.otelMetricsExporter, config.otelMetricsEndpoint, 'v1/metrics'),
  }
}

function addPath(endpoint: string, path: string): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}
