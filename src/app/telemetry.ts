import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { HANSARD_BUILD } from '../config/load-config.ts'
import { findCollectorUrls } from '../config/telemetry-settings.ts'
import { NO_TRACER, type Tracer } from '../lib/tracer.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { createNetworkPolicy } from '../network/network-policy.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'

type Parts = {
  config: Config
  log: Log
  clock: Clock
  storage: MigratedStorage
  ownPorts(): number[]
}

type Telemetry = AsyncDisposable & {
  tracer: Tracer
  exportMetrics(registry: Registry): AsyncDisposable
}

const NOTHING: AsyncDisposable = { async [Symbol.asyncDispose]() {} }

/** Exports traces and metrics if the settings name a collector. Otherwise no package of OpenTelemetry is loaded. */
export async function openTelemetryFromConfig(parts: Parts): Promise<Telemetry> {
  const { config, storage, ownPorts } = parts
  const urls = findCollectorUrls(config)
  if (urls.traces === null && urls.metrics === null)
    return { ...NOTHING, tracer: NO_TRACER, exportMetrics: () => NOTHING }
  const { openTelemetry } = await import('../telemetry/telemetry.ts')
  // The operator chose the collector, which is usually in a private network.
  const policy = createNetworkPolicy({
    level: 'private-ok',
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts,
    database: storage.remoteAddress,
  })
  return openTelemetry({ ...parts, urls, version: HANSARD_BUILD, policy })
}
