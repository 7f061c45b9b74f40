import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'

type Parts = {
  registry: Registry
  resource: Resource
  clock: Clock
  log: Log
  intervalMs: number
  exportMetrics(metrics: ResourceMetrics): Promise<boolean>
}

type Family = MetricObjectWithValues<MetricValueWithName<string>>
/** OpenTelemetry's names of the units that the names of metrics end with. */
const UNITS: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By' }

type Times = { startTime: HrTime; endTime: HrTime }

/**
 * Exports the metrics of `/metrics` at intervals, under the same names, until the returned function is called. It
 * exports them once more.
 */
export function startMetricExport(parts: Parts): () => Promise<void> {
  const startedAt = parts.clock.now()
  let running: Promise<void> | null = null
  const exportNow = async () => {
    const times = { startTime: toHrTime(startedAt), endTime: toHrTime(parts.clock.now()) }
    await parts.exportMetrics(await collectMetrics(parts, times))
  }
  /** A slow export is not joined by another one. */
  const exportUnlessRunning = () =>
    (running ??= exportNow()
      .catch((error: unknown) => parts.log.error({ err: error }, 'failed to collect metrics'))
      .finally(() => (running = null)))
  const timer = setInterval(() => void exportUnlessRunning(), parts.intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await exportUnlessRunning()
  }
}

/** A metric that cannot be read, for example because the database is unavailable, does not keep the others back. */
async function collectMetrics(
  { registry, resource, log }: Parts,
  times: Times,
): Promise<ResourceMetrics> {
  const results = await Promise.allSettled(
    registry.getMetricsAsArray().map(async ({ name }) => registry.getSingleMetric(name)?.get()),
  )
  const metrics = results.flatMap((result) => {
    if (result.status === 'fulfilled')
      return result.value === undefined ? [] : toMetricData(result.value, times)
    log.debug({ err: result.reason as unknown }, 'failed to read a metric')
    return []
  })
  return { resource, scopeMetrics: [{ scope: { name: 'hansard' }, metrics }] }
}

/**
 * The metric in OpenTelemetry's form. A summary becomes a gauge of its quantiles and two counters, because the SDK knows
 * no summaries.
 */
export function toMetricData(family: Family, times: Times): MetricData[] {
  if (String(family.type) === 'summary') return splitSummary(family, times)
  const descriptor = {
    name: family.name,
    description: family.help,
    unit: UNITS[/_(seconds|bytes)(?:_total)?$/.exec(family.name)?.[1] ?? ''] ?? '',
    valueType: ValueType.DOUBLE,
  }
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const toPoint = ({ labels, value }: Family['values'][number]) => ({
    ...times,
    attributes: toAttributes(labels),
    value,
  })
  const kind = String(family.type)
  const dataPoints = family.values.map(toPoint)
  if (kind === 'counter')
    return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
  if (kind === 'gauge') return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints }]
  if (kind !== 'histogram') return []
  return [
    { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(family, times) },
  ]
}

function splitSummary({ name, help, values }: Family, times: Times): MetricData[] {
  const part = (partName: string, type: 'counter' | 'gauge') => ({
    name: partName,
    help,
    type: type as unknown as Family['type'],
    values: values.filter(({ metricName = name }) => metricName === partName),
  })
  const parts = [
    part(name, 'gauge'),
    ...['sum', 'count'].map((suffix) => part(`${name}_${suffix}`, 'counter')),
  ]
  return parts.flatMap((one) => toMetricData(one as Family, times))
}

/** Prometheus counts each bucket together with the smaller ones, and lists sum and count as further values. */
function toHistograms({ name, values }: Family, times: Times) {
  const series = Map.groupBy(values, ({ labels }) => JSON.stringify(toAttributes(labels)))
  return [...series].map(([key, rows]) => {
    const buckets = rows
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels, value }) => ({
        bound: Number(String(labels['le']).replace('+Inf', 'Infinity')),
        value,
      }))
      .toSorted((a, b) => a.bound - b.bound)
    const valueOf = (suffix: string) =>
      rows.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0
    return {
      ...times,
      attributes: JSON.parse(key) as Attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite),
          counts: buckets.map(({ value }, i) => value - (buckets[i - 1]?.value ?? 0)),
        },
        sum: valueOf('sum'),
        count: valueOf('count'),
      },
    }
  })
}

function toAttributes(labels: Readonly<Record<string, string | number | undefined>>): Attributes {
  const entries = Object.entries(labels).filter(([name]) => name !== 'le')
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function toHrTime(at: Date): HrTime {
  const ms = at.getTime()
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1e6]
}
