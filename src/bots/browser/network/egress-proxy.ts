import { lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import { connect, createServer, isIP, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { classifyAddress, parseIpAddress } from '../../../lib/net/ip-addresses.ts'
import { errorCode } from '../../../lib/error-code.ts'
import type { Log } from '../../../log.ts'
import { writeSocksReply, readSocksRequest, SOCKS_REPLY_CODES, type SocksTarget } from './socks.ts'

/** A rehearsal stage on this machine that replaces the Internet. These host names lead to it; all others fail. */
export type RehearsalStageRoute = { hostnames: readonly string[]; address: string; port: number }

export interface EgressProxy extends AsyncDisposable {
  /** Chromium's --proxy-server value. */
  readonly proxyUrl: string
}

type Lookup = typeof systemLookup
type EgressProxyOptions = {
  stageRoute?: RehearsalStageRoute | undefined
  /** For a server that the operator allows. The proxy then connects only to these targets, even private addresses. */
  isAllowedTarget?: ((target: SocksTarget) => boolean) | undefined
  lookup?: Lookup
  log: Log
}

/** How long a new connection from the browser may be inactive before the proxy has connected it to the server. */
const CONNECT_TIMEOUT_MS = 30_000

/** The address is not on the public internet. */
export class BlockedAddressError extends Error {
  readonly code = 'ERR_CLOSED_ADDRESS'
}

/**
 * The only connection between a browser and the network: a SOCKS proxy that connects only to public addresses, which it
 * checks after each DNS lookup. It forwards bytes, and TLS stays between the page and its server. Pages, frames,
 * workers and sockets all use it; no rule inside the browser can enforce that.
 */
export async function openEgressProxy({
  stageRoute,
  isAllowedTarget,
  lookup = systemLookup,
  log,
}: EgressProxyOptions) {
  const dial =
    isAllowedTarget === undefined
      ? createEgressDial({ stageRoute, lookup })
      : dialAllowedTargets(isAllowedTarget)
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Either side may close the connection at any time. That needs no handling.
    const logEnd = (error: unknown) =>
      log.trace({ err: error }, 'connection through the egress proxy ended with an error')
    socket.on('error', logEnd)
    proxyConnection(socket, (target) => dial(target).on('error', logEnd)).catch(
      (error: unknown) => {
        logEnd(error)
        socket.destroy()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    proxyUrl: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  } satisfies EgressProxy
}

/** Opens a connection under the network rules for browsers. */
export type Dial = (target: SocksTarget) => Socket

export function createEgressDial({
  stageRoute,
  lookup = systemLookup,
}: Pick<EgressProxyOptions, 'stageRoute' | 'lookup'> = {}): Dial {
  return stageRoute === undefined ? dialPublicInternet(lookup) : dialStage(stageRoute)
}

async function proxyConnection(client: Socket, dial: Dial): Promise<void> {
  client.setTimeout(CONNECT_TIMEOUT_MS, () => client.destroy())
  const server = await connectToTarget(await readSocksRequest(client), dial, client)
  if (server === null) return
  client.setTimeout(0)
  writeSocksReply(client, SOCKS_REPLY_CODES.open)
  await Promise.all([pipeline(client, server), pipeline(server, client)])
}

async function connectToTarget(
  target: SocksTarget,
  dial: Dial,
  client: Socket,
): Promise<Socket | null> {
  try {
    const server = dial(target)
    client.once('close', () => server.destroy())
    await once(server, 'connect')
    return server
  } catch (error) {
    const isBlocked = error instanceof BlockedAddressError
    writeSocksReply(
      client,
      isBlocked
        ? SOCKS_REPLY_CODES.closed
        : (REPLY_BY_ERROR_CODE[errorCode(error)] ?? SOCKS_REPLY_CODES.failed),
    )
    client.end()
    return null
  }
}

const REPLY_BY_ERROR_CODE: Readonly<Record<string, number>> = {
  ECONNREFUSED: SOCKS_REPLY_CODES.refused,
  ENOTFOUND: SOCKS_REPLY_CODES.unreachable,
  EAI_AGAIN: SOCKS_REPLY_CODES.unreachable,
  EHOSTUNREACH: SOCKS_REPLY_CODES.unreachable,
  ENETUNREACH: SOCKS_REPLY_CODES.unreachable,
}

/** Keep-alive detects a server that disappeared without closing the connection. */
const CONNECTION = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 45_000,
} as const

function dialStage({ hostnames, address, port }: RehearsalStageRoute): Dial {
  const known = new Set(hostnames)
  return ({ host }) => {
    if (!known.has(host)) throw new BlockedAddressError(host)
    return connect({ ...CONNECTION, host: address, port })
  }
}

function dialAllowedTargets(isAllowed: (target: SocksTarget) => boolean): Dial {
  return (target) => {
    if (!isAllowed(target)) throw new BlockedAddressError(target.host)
    return connect({ ...CONNECTION, host: target.host, port: target.port })
  }
}

/** Connects to the address that was checked. A host name is refused if one of its addresses is not public. */
function dialPublicInternet(lookup: Lookup): Dial {
  return ({ host, port }) => {
    if (isIP(host) !== 0) assertPublicAddress(host)
    return connect({
      ...CONNECTION,
      host,
      port,
      lookup(name, options, callback) {
        lookup(name, { ...options, all: true }, (error, found) => {
          if (error !== null) return callback(error, '')
          const blocked = found.find(({ address }) => !isPublicAddress(address))
          if (blocked !== undefined) return callback(new BlockedAddressError(name), '')
          const [first] = found
          if (first === undefined || options.all === true) return callback(null, found)
          callback(null, first.address, first.family)
        })
      },
    })
  }
}

function assertPublicAddress(host: string): void {
  if (!isPublicAddress(host)) throw new BlockedAddressError(host)
}

function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === null || classifyAddress(address) !== 'public') return false
  // A page must not reach services on this machine's public addresses either.
  return !Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => parseIpAddress(own.address)?.toString() === address.toString()),
  )
}
