import { overridesEgressProxy } from '../../launch/chromium-arguments.ts'
import { createEgressDial } from '../egress-proxy.ts'
import { createSiteProbe, type ProbeSite } from './probe-site.ts'

/** The settings that decide how the browsers of bots reach the network. */
export type NetworkSettings = {
  reachabilityCheck: 'on' | 'off'
  browserCdp?: string | undefined
  browserArgs: readonly string[]
}

/** Why the network of the browsers cannot be checked from this process; null when it can. */
export function findProbeObstacle(settings: NetworkSettings): string | null {
  if (settings.reachabilityCheck === 'off') return 'HANSARD_REACHABILITY_CHECK is off'
  if (settings.browserCdp !== undefined)
    return 'bots use the browser at HANSARD_BROWSER_CDP, which has its own network'
  if (settings.browserArgs.some(overridesEgressProxy))
    return 'bots use the proxy in HANSARD_BROWSER_ARGS'
  return null
}

/** A probe that connects under the same rules as the browsers of bots. */
export function createBrowserNetworkProbe(): ProbeSite {
  return createSiteProbe({ dial: createEgressDial() })
}
