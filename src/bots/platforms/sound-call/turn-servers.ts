import { lookup } from 'node:dns/promises'
import { parseIpAddress } from '../../../lib/net/ip-addresses.ts'
import type { SocksTarget } from '../../browser/network/socks.ts'
import { isListedHost, withoutBrackets, type ListedHosts } from './listed-hosts.ts'

/** A STUN or TURN server as browsers take it. */
export type IceServer = {
  urls: string[]
  username?: string | undefined
  credential?: string | undefined
}

/** The TURN servers that bots can use. They must use TCP, because the egress proxy forwards nothing else. */
export type UsableTurnServers = {
  iceServers: IceServer[]
  /** The targets that the browser connects to for these servers. */
  targets: SocksTarget[]
  /** TURN servers over TCP that the operator did not list. */
  unlisted: string[]
}

type TurnUrl = { host: string; port: number; isTcp: boolean }
type Lookup = (host: string) => Promise<string[]>

const TURN_URL = /^(turns?):(\[[0-9a-f:.]+\]|[^:?/]+)(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/i
const USUAL_PORTS: Readonly<Record<string, number>> = { turn: 3_478, turns: 5_349 }

/**
 * Selects the TURN servers of listed hosts. A server that names its own by an address must have this address itself.
 */
export async function selectTurnServers(
  given: readonly IceServer[],
  {
    server,
    hosts,
    resolve = resolveAddresses,
  }: { server: string; hosts: ListedHosts; resolve?: Lookup },
): Promise<UsableTurnServers> {
  const serverAddresses = await resolve(withoutBrackets(server))
  const usable: UsableTurnServers = { iceServers: [], targets: [], unlisted: [] }
  for (const iceServer of given) {
    const urls: string[] = []
    for (const url of iceServer.urls) {
      const turn = parseTurnUrl(url)
      if (turn === null || !turn.isTcp) continue
      const { host, port } = turn
      if (serverAddresses.includes(host)) usable.targets.push({ host, port })
      else if (isListedHost(host, hosts)) {
        // The browser may resolve the name itself and ask the proxy for the address.
        const addresses = parseIpAddress(host) === null ? await resolve(host) : []
        usable.targets.push(...[host, ...addresses].map((one) => ({ host: one, port })))
      } else {
        usable.unlisted.push(`${host}:${port}`)
        continue
      }
      urls.push(url)
    }
    if (urls.length > 0) usable.iceServers.push({ ...iceServer, urls })
  }
  return usable
}

function parseTurnUrl(url: string): TurnUrl | null {
  const parts = TURN_URL.exec(url)
  if (parts === null) return null
  const [, scheme = '', host = '', port, transport] = parts
  const kind = scheme.toLowerCase()
  return {
    host: withoutBrackets(host).toLowerCase(),
    port: Number(port ?? USUAL_PORTS[kind]),
    isTcp: (transport?.toLowerCase() ?? (kind === 'turns' ? 'tcp' : 'udp')) === 'tcp',
  }
}

export async function resolveAddresses(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    // A name without an address allows nothing.
    return []
  }
}
