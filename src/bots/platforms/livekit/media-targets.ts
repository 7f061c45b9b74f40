import type { SocksTarget } from '../../browser/network/socks.ts'
import { isListedHost, withoutBrackets, type ListedHosts } from '../sound-call/listed-hosts.ts'
import { resolveAddresses, selectTurnServers, type IceServer } from '../sound-call/turn-servers.ts'

/** Which addresses the browser may connect to for the sound of a room. */
export type MediaTargets = ReturnType<typeof createMediaTargets>

/** Each address in a session description or a candidate. The browser uses only those by TCP. */
const CANDIDATE = /candidate:\S{1,100} \d{1,5} (udp|tcp) \d{1,10} (\S{1,100}) (\d{1,5}) typ/gi
const MAX_NAMED = 3
const MAX_UNLISTED = 100

type Options = {
  /** The host name of the server that the bot is connected to. */
  server: string
  hosts: ListedHosts
  allowTarget(target: SocksTarget): void
  resolve?: (host: string) => Promise<string[]>
}

/** Allows addresses of the server itself and of listed hosts. A large installation sends sound from other machines. */
export function createMediaTargets({
  server,
  hosts,
  allowTarget,
  resolve = resolveAddresses,
}: Options) {
  const name = withoutBrackets(server)
  const addresses = resolve(name)
  const unlisted = new Set<string>()
  let isAnyAllowed = false

  function allow(target: SocksTarget): void {
    isAnyAllowed = true
    allowTarget(target)
  }
  return {
    /** Allows what a session description or a candidate of the server names. */
    async allowIn(text: string): Promise<void> {
      const own = new Set([name, ...(await addresses)])
      for (const [, transport = '', host = '', port] of text.matchAll(CANDIDATE)) {
        if (transport.toLowerCase() !== 'tcp') continue
        const target = { host: host.toLowerCase(), port: Number(port) }
        if (own.has(target.host) || isListedHost(target.host, hosts)) allow(target)
        else if (unlisted.size < MAX_UNLISTED) unlisted.add(`${host}:${port}`)
      }
    },
    /** The TURN servers that the browser may use. */
    async selectTurn(given: readonly IceServer[]): Promise<IceServer[]> {
      const usable = await selectTurnServers(given, { server, hosts, resolve })
      usable.targets.forEach(allow)
      for (const host of usable.unlisted) unlisted.add(host)
      return usable.iceServers
    },
    /** Why no sound arrives, and what to do. */
    describeProblem(): string {
      if (isAnyAllowed)
        return 'The sound of the meeting did not reach the bot. Check that the TCP port of LiveKit (7881) is reachable from this machine'
      if (unlisted.size > 0)
        return `LiveKit sends sound from ${[...unlisted].slice(0, MAX_NAMED).join(', ')}. Add the host to HANSARD_LIVEKIT_HOSTS if bots may connect to it`
      return 'The LiveKit server offers no connection by TCP, which bots need. Set rtc.tcp_port in its configuration, or turn on its TURN server by TLS'
    },
  }
}
