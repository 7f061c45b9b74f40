import type * as Undici from 'undici'
import type { OpenIdProviderOptions } from '../accounts/sign-in/provider/openid-provider.ts'
import type { NetworkPolicy } from '../deliveries/network/policy/network-policy.ts'
import { lazyRequire } from '../lib/lazy-require.ts'

/** undici is loaded with the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

/** A discovery document, a key set or a token is far smaller. */
const MAX_RESPONSE_BYTES = 1_000_000

type ProviderFetch = OpenIdProviderOptions['fetch']

/**
 * The requests to a sign-in provider. Its own origin is allowed as it is; every other address that its discovery
 * document names must obey the policy, so that the document cannot make the service call private addresses.
 */
export function createProviderFetch(
  trustedOrigin: string,
  policy: NetworkPolicy,
): { fetch: ProviderFetch; close(): Promise<void> } {
  const agents = new Map<number | 'trusted', Undici.Agent>()
  const agentFor = (port: number | 'trusted'): Undici.Agent => {
    const existing = agents.get(port)
    if (existing !== undefined) return existing
    const agent = new (undici().Agent)({
      maxResponseSize: MAX_RESPONSE_BYTES,
      connections: 10,
      ...(port !== 'trusted' && { connect: { lookup: policy.guardedLookup(port) } }),
    })
    agents.set(port, agent)
    return agent
  }

  const fetch: ProviderFetch = async (url, options) => {
    const { origin, port, protocol } = new URL(url)
    const isTrusted = origin === trustedOrigin
    const problem = isTrusted ? null : policy.checkUrl(url)
    if (problem !== null) throw new Error(`the sign-in provider names ${origin}: ${problem}`)
    const dispatcher = agentFor(
      isTrusted ? 'trusted' : Number(port || (protocol === 'https:' ? 443 : 80)),
    )
    const request = { ...options, dispatcher } as unknown as Undici.RequestInit
    // The types of undici and of the standard library describe the same object.
    const response: unknown = await undici().fetch(url, request)
    return response as Response
  }
  return {
    fetch,
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}
