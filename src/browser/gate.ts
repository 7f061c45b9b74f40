import { lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import { connect, createServer, isIP, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { reachOf, readAddress } from '../lib/addresses.ts'
import { errorCode } from '../lib/error-code.ts'
import type { Log } from '../log.ts'
import { answer, readTarget, REPLIES, type Target } from './socks.ts'

/** A stage on this machine that pages see instead of the world: these names lead there, all others nowhere. */
export type Opening = { names: readonly string[]; address: string; port: number }

export interface Gate extends AsyncDisposable {
  /** What Chromium is told to use as its proxy. */
  readonly proxy: string
}

type Lookup = typeof systemLookup
type GateOptions = { opening?: Opening | undefined; lookup?: Lookup; log: Log }

/** From the first byte to the open connection. */
const OPEN_MS = 30_000

class ClosedAddress extends Error {
  readonly code = 'ERR_CLOSED_ADDRESS'
}

/**
 * The only way from a browser to the network: a SOCKS proxy that connects to public addresses and to no other,
 * whatever a name leads to at that moment. It carries bytes; TLS stays between the page and its server. Pages,
 * frames, workers and sockets all go through it, which no rule inside the browser achieves.
 */
export async function openGate({ opening, lookup = systemLookup, log }: GateOptions) {
  const dial = opening === undefined ? dialWorld(lookup) : dialStage(opening)
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Either side may go away at any moment: there is nothing to mend and nobody to tell.
    const note = (error: unknown) =>
      log.trace({ err: error }, 'a connection through the gate has ended early')
    socket.on('error', note)
    serve(socket, (target) => dial(target).on('error', note)).catch((error: unknown) => {
      note(error)
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    proxy: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  } satisfies Gate
}

type Dial = (target: Target) => Socket

async function serve(near: Socket, dial: Dial): Promise<void> {
  near.setTimeout(OPEN_MS, () => near.destroy())
  const far = await reach(await readTarget(near), dial, near)
  if (far === null) return
  near.setTimeout(0)
  answer(near, REPLIES.open)
  await Promise.all([pipeline(near, far), pipeline(far, near)])
}

async function reach(target: Target, dial: Dial, near: Socket): Promise<Socket | null> {
  try {
    const far = dial(target)
    near.once('close', () => far.destroy())
    await once(far, 'connect')
    return far
  } catch (error) {
    const isClosed = error instanceof ClosedAddress
    answer(near, isClosed ? REPLIES.closed : (FAILURES[errorCode(error)] ?? REPLIES.failed))
    near.end()
    return null
  }
}

const FAILURES: Readonly<Record<string, number>> = {
  ECONNREFUSED: REPLIES.refused,
  ENOTFOUND: REPLIES.unreachable,
  EAI_AGAIN: REPLIES.unreachable,
  EHOSTUNREACH: REPLIES.unreachable,
  ENETUNREACH: REPLIES.unreachable,
}

/** A server that vanished without a word is noticed, as the browser itself would. */
const CONNECTION = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 45_000,
} as const

function dialStage({ names, address, port }: Opening): Dial {
  const known = new Set(names)
  return ({ host }) => {
    if (!known.has(host)) throw new ClosedAddress(host)
    return connect({ ...CONNECTION, host: address, port })
  }
}

/** The address that was judged is the one that is dialled; one closed record closes the name. */
function dialWorld(lookup: Lookup): Dial {
  return ({ host, port }) => {
    if (isIP(host) !== 0) judge(host)
    return connect({
      ...CONNECTION,
      host,
      port,
      lookup(name, options, callback) {
        lookup(name, { ...options, all: true }, (error, found) => {
          if (error !== null) return callback(error, '')
          const closed = found.find(({ address }) => !isOpen(address))
          if (closed !== undefined) return callback(new ClosedAddress(name), '')
          const [first] = found
          if (first === undefined || options.all === true) return callback(null, found)
          callback(null, first.address, first.family)
        })
      },
    })
  }
}

function judge(host: string): void {
  if (!isOpen(host)) throw new ClosedAddress(host)
}

function isOpen(text: string): boolean {
  const address = readAddress(text)
  if (address === null || reachOf(address) !== 'public') return false
  // What this machine serves to the outside it need not serve to a page that runs on it.
  return !Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => readAddress(own.address)?.toString() === address.toString()),
  )
}
