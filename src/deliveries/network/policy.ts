import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { readCallbackUrl, type Target } from './callback-url.ts'
import { fairLookUps } from './look-ups.ts'
import { CLOSED_PORTS, closedPort, createJudge, type Rules } from './rules.ts'

/** `dns.lookup`, always asked for all records. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export type NetworkPolicyOptions = Rules & {
  resolve?: Resolve
  /** How many names the system looks up at the same time. */
  lookUpThreads?: number
  /** How long a start waits for the name server. */
  startLookupMs?: number
}

export interface NetworkPolicy {
  /** Null when a callback may go there, otherwise a sentence for a person. Looks nothing up. */
  refuseUrl(url: string): string | null
  /** The same with the name looked up. A name that cannot be resolved now is no refusal. */
  refuseStart(url: string): Promise<string | null>
  /** For a connector to this port: answers what may be dialled; one forbidden record refuses the name. */
  lookupFor(port: number): LookupFunction
}

/** What a guarded look-up fails with. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code = 'ERR_BLOCKED_ADDRESS'
}

/** Names that lead to metadata wherever they lead anywhere. */
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog'])
const LOCAL_NAME = /(?:^|\.)localhost$/
const START_LOOKUP_MS = 3_000

export function createNetworkPolicy(options: NetworkPolicyOptions): NetworkPolicy {
  const {
    resolve: ask = systemLookup,
    startLookupMs = START_LOOKUP_MS,
    lookUpThreads = 2,
  } = options
  const resolve = fairLookUps(ask, { threads: lookUpThreads })
  const judge = createJudge(options)

  function refuseTarget({ host, isLiteral, port }: Target): string | null {
    if (isLiteral) return judge(host, port, host)
    if (METADATA_NAMES.has(host)) return `${host} belongs to the machinery of a cloud`
    // Only where every answer that is possible would be refused; the look-up sees the true one.
    if (LOCAL_NAME.test(host)) return judge('127.0.0.1', port, host) && judge('::1', port, host)
    return CLOSED_PORTS.has(port) && options.allow.length === 0 ? closedPort(port) : null
  }

  function firstRefusal(records: LookupAddress[], port: number, name: string): string | null {
    return records.map(({ address }) => judge(address, port, name)).find(Boolean) ?? null
  }

  return {
    refuseUrl(url) {
      const target = readCallbackUrl(url)
      return typeof target === 'string' ? target : refuseTarget(target)
    },
    async refuseStart(url) {
      const target = readCallbackUrl(url)
      if (typeof target === 'string') return target
      const refusal = refuseTarget(target)
      if (refusal !== null || target.isLiteral) return refusal
      const records = await recordsOf(resolve, target.url.hostname, startLookupMs)
      return firstRefusal(records, target.port, target.host)
    },
    lookupFor: (port) => (name, asked, callback) => {
      resolve(name, { ...asked, all: true }, (error, found) => {
        if (error !== null) return callback(error, '')
        const records = found.map(({ address, family }) => ({ address, family }))
        const refusal = firstRefusal(records, port, name)
        const [first] = records
        if (refusal !== null) return callback(new BlockedAddressError(refusal), '')
        if (first === undefined) return callback(nothingFound(name), '')
        if (asked.all === true) return callback(null, records)
        callback(null, first.address, first.family)
      })
    },
  }
}

/** None when the name server has no answer, or none in time: a start does not hang on it. */
function recordsOf(resolve: Resolve, name: string, limitMs: number): Promise<LookupAddress[]> {
  return new Promise((answer) => {
    const timer = setTimeout(() => answer([]), limitMs)
    resolve(name, { all: true }, (error, records) => {
      clearTimeout(timer)
      answer(error === null ? records : [])
    })
  })
}

function nothingFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })
}
