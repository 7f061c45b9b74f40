import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { parseCallbackUrl, type CallbackTarget } from './callback-url.ts'
import { createFairLookup, type ResolveHost } from './dns-lookups.ts'
import {
  BLOCKED_PORTS,
  blockedPortMessage,
  createAddressCheck,
  type AddressRules,
} from './address-rules.ts'

export type NetworkPolicyOptions = AddressRules & {
  resolve?: ResolveHost
  /** How many names the system looks up at the same time. */
  dnsThreads?: number
  /** How long a start waits for the name server. */
  startLookupTimeoutMs?: number
}

export interface NetworkPolicy {
  /** Null when a callback may go there, otherwise a sentence for a person. Looks nothing up. */
  checkUrl(url: string): string | null
  /** The same with the name looked up. A name that cannot be resolved now is no refusal. */
  checkUrlWithDns(url: string): Promise<string | null>
  /** For a connector to this port: answers what may be dialled; one forbidden record refuses the name. */
  guardedLookup(port: number): LookupFunction
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
    startLookupTimeoutMs = START_LOOKUP_MS,
    dnsThreads = 2,
  } = options
  const resolve = createFairLookup(ask, { threads: dnsThreads })
  const judge = createAddressCheck(options)

  function refuseTarget({ host, isIpAddress, port }: CallbackTarget): string | null {
    if (isIpAddress) return judge(host, port, host)
    if (METADATA_NAMES.has(host)) return `${host} belongs to the machinery of a cloud`
    // Only where every answer that is possible would be refused; the look-up sees the true one.
    if (LOCAL_NAME.test(host)) return judge('127.0.0.1', port, host) && judge('::1', port, host)
    return BLOCKED_PORTS.has(port) && options.allow.length === 0 ? blockedPortMessage(port) : null
  }

  function firstRefusal(records: LookupAddress[], port: number, name: string): string | null {
    return records.map(({ address }) => judge(address, port, name)).find(Boolean) ?? null
  }

  return {
    checkUrl(url) {
      const target = parseCallbackUrl(url)
      return typeof target === 'string' ? target : refuseTarget(target)
    },
    async checkUrlWithDns(url) {
      const target = parseCallbackUrl(url)
      if (typeof target === 'string') return target
      const refusal = refuseTarget(target)
      if (refusal !== null || target.isIpAddress) return refusal
      const records = await resolveWithin(resolve, target.url.hostname, startLookupTimeoutMs)
      return firstRefusal(records, target.port, target.host)
    },
    guardedLookup: (port) => (name, asked, callback) => {
      resolve(name, { ...asked, all: true }, (error, found) => {
        if (error !== null) return callback(error, '')
        const records = found.map(({ address, family }) => ({ address, family }))
        const refusal = firstRefusal(records, port, name)
        const [first] = records
        if (refusal !== null) return callback(new BlockedAddressError(refusal), '')
        if (first === undefined) return callback(hostNotFoundError(name), '')
        if (asked.all === true) return callback(null, records)
        callback(null, first.address, first.family)
      })
    },
  }
}

/** None when the name server has no answer, or none in time: a start does not hang on it. */
function resolveWithin(
  resolve: ResolveHost,
  name: string,
  limitMs: number,
): Promise<LookupAddress[]> {
  return new Promise((answer) => {
    const timer = setTimeout(() => answer([]), limitMs)
    resolve(name, { all: true }, (error, records) => {
      clearTimeout(timer)
      answer(error === null ? records : [])
    })
  })
}

function hostNotFoundError(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })
}
