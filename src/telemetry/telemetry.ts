import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { findCollectorUrls } from '../config/telemetry-settings.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { isDoneWithin } from '../lib/async/abort.ts'
import { newId } from '../lib/crypto.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { NO_TRACER, type Tracer } from '../lib/tracer.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { startMetricExport } from './metrics.ts'
import { createOtlpSender } from './otlp-sender.ts'
import { createExportingTracer } from './traces.ts'

/** Exports traces and metrics of this node to a collector of OpenTelemetry. Disposing exports the rest. */
export interface Telemetry extends AsyncDisposable {
  tracer: Tracer
  /** Exports these metrics until the result is disposed. */
  exportMetrics(registry: Registry): AsyncDisposable
}

type Parts = {
  config: Config
  urls: ReturnType<typeof findCollectorUrls>
  version: string
  clock: Clock
  log: Log
  /** Which addresses the collector may have. */
  policy: NetworkPolicy
}

/** How long a stop waits for the collector. */
const FLUSH_MS = 2_000

export function openTelemetry(parts: Parts): Telemetry {
  const { config, urls, version, clock, log } = parts
  const isJson = config.otelProtocol === 'http/json'
  const timeoutMs = config.otelTimeoutMs
  const sender = createOtlpSender({
    ...parts,
    headers: config.otelHeaders ?? {},
    contentType: isJson ? 'application/json' : 'application/x-protobuf',
    timeoutMs,
    ca: readCertificates(config.otelCertificateFile),
  })
  const send = async (url: string, body: Uint8Array | undefined) =>
    body === undefined || (await sender.send(url, body))
  const resource = resourceFromAttributes({
    'service.version': version,
    'service.instance.id': newId('instance'),
    'host.name': hostname(),
    ...config.otelResourceAttributes,
    // The default name of the service does not replace one in the attributes.
    ...((config.sources.otelServiceName !== 'default' ||
      config.otelResourceAttributes?.['service.name'] === undefined) && {
      'service.name': config.otelServiceName,
    }),
  })
  const { traces: tracesUrl, metrics: metricsUrl } = urls
  const traceSerializer = isJson ? JsonTraceSerializer : ProtobufTraceSerializer
  const metricsSerializer = isJson ? JsonMetricsSerializer : ProtobufMetricsSerializer
  const traces =
    tracesUrl === null
      ? null
      : createExportingTracer({
          resource,
          version,
          clock,
          sampler: { name: config.otelTracesSampler, ratio: config.otelTracesSamplerArg },
          batchDelayMs: config.otelBatchDelayMs,
          exportTimeoutMs: timeoutMs,
          exportSpans: (spans) => send(tracesUrl, traceSerializer.serializeRequest(spans)),
        })
  return {
    tracer: traces?.tracer ?? NO_TRACER,
    exportMetrics(registry) {
      if (metricsUrl === null) return { async [Symbol.asyncDispose]() {} }
      const stopExport = startMetricExport({
        registry,
        resource,
        clock,
        log,
        intervalMs: config.otelMetricIntervalMs,
        exportMetrics: (metrics) => send(metricsUrl, metricsSerializer.serializeRequest(metrics)),
      })
      return {
        async [Symbol.asyncDispose]() {
          sender.hurry(FLUSH_MS)
          await isDoneWithin(stopExport(), FLUSH_MS)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      sender.hurry(FLUSH_MS)
      if (traces !== null) await isDoneWithin(traces.flush(), FLUSH_MS)
      await sender[Symbol.asyncDispose]()
    },
  }
}

function readCertificates(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(
      `The certificates in ${path} cannot be read: ${errorMessageOf(error)}`,
      'Check OTEL_EXPORTER_OTLP_CERTIFICATE',
      error,
    )
  }
}
