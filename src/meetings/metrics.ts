import { Counter, type Registry } from 'prom-client'
import type { PlatformName } from '../bots/platforms/platform.ts'

export interface MeetingMetrics {
  countDrift(platform: PlatformName, part: string): void
  register(registry: Registry): void
}

/** What an operator sees of the bots of this node. */
export function createMeetingMetrics(): MeetingMetrics {
  const drift = new Counter({
    name: 'hansard_page_drift_total',
    help: 'Times a part of a page was found in another way than the best known one, or not at all',
    labelNames: ['platform', 'part'] as const,
    registers: [],
  })
  return {
    countDrift: (platform, part) => drift.inc({ platform, part }),
    register: (registry) => registry.registerMetric(drift),
  }
}
