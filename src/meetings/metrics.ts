import { Counter, type Registry } from 'prom-client'
import type { PlatformName } from '../bots/platforms/platform.ts'

export interface MeetingMetrics {
  countDrift(platform: PlatformName, part: string): void
  register(registry: Registry): void
}

/** Prometheus metrics of the bots on this node. */
export function createMeetingMetrics(): MeetingMetrics {
  const drift = new Counter({
    name: 'hansard_page_drift_total',
    help: 'Times a part of a platform page was not found by its preferred selector',
    labelNames: ['platform', 'part'] as const,
    registers: [],
  })
  return {
    countDrift: (platform, part) => drift.inc({ platform, part }),
    register: (registry) => registry.registerMetric(drift),
  }
}
