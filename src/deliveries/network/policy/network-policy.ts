import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { parseCallbackUrlOrProblem, type HttpCallbackTarget } from './callback-url.ts'
import { createFairDnsLookup, type ResolveHost } from './dns-lookups.ts'
import {
  PORTS_BLOCKED_BY_DEFAULT,
  blockedPortMessage,
  createAddressProblemFinder,
  type AddressRules,
} from './address-rules.ts'

export type NetworkPolicyOptions = AddressRules & {
  resolve?: ResolveHost
  /** How many DNS lookups the system runs concurrently. */
  dnsThreads?: number
  /** How long the start of a meeting waits for the name server. */
  startLookupTimeoutMs?: number
}

export interface NetworkPolicy {
  /** Null when callbacks may go to this URL, otherwise a sentence that says why not. Makes no DNS lookup. */
  checkUrl(url: string): string | null
  /** Like checkUrl, and also checks the resolved addresses. A name that cannot be resolved now is allowed. */
  checkUrlWithDns(url: string): Promise<string | null>
  /** A DNS lookup for connections to this port. It fails when any address of the name is not allowed. */
  guardedLookup(port: number): LookupFunction
}

/** The error of guardedLookup for a name with an address that is not allowed. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code = 'ERR_BLOCKED_ADDRESS'
}

/** Host names of cloud metadata services. */
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog'])
const LOCAL_NAME = /(?:^|\.)localhost$/
const START_LOOKUP_MS = 3_000

export function createNetworkPolicy(options: NetworkPolicyOptions): NetworkPolicy {
  const {
    resolve: systemResolve = systemLookup,
    startLookupTimeoutMs = START_LOOKUP_MS,
    dnsThreads = 2,
  } = options
  const resolve = createFairDnsLookup(systemResolve, { threads: dnsThreads })
  const checkAddress = createAddressProblemFinder(options)

  function checkTarget({ host, isIpAddress, port }: HttpCallbackTarget): string | null {
    if (isIpAddress) return checkAddress(host, port, host)
    if (METADATA_NAMES.has(host)) return `${host} is a cloud metadata service`
    // A localhost name is refused only when both loopback addresses are. guardedLookup checks the real address later.
    if (LOCAL_NAME.test(host))
      return checkAddress('127.0.0.1', port, host) && checkAddress('::1', port, host)
    return PORTS_BLOCKED_BY_DEFAULT.has(port) && options.allow.length === 0
      ? blockedPortMessage(port)
      : null
  }

  function firstRefusal(records: LookupAddress[], port: number, name: string): string | null {
    return records.map(({ address }) => checkAddress(address, port, name)).find(Boolean) ?? null
  }

  return {
    checkUrl(url) {
      const target = parseCallbackUrlOrProblem(url)
      return typeof target === 'string' ? target : checkTarget(target)
    },
    async checkUrlWithDns(url) {
      const target = parseCallbackUrlOrProblem(url)
      if (typeof target === 'string') return target
      const refusal = checkTarget(target)
      if (refusal !== null || target.isIpAddress) return refusal
      const records = await resolveWithin(resolve, target.url.hostname, startLookupTimeoutMs)
      return firstRefusal(records, target.port, target.host)
    },
    guardedLookup: (port) => (name, lookupOptions, callback) => {
      resolve(name, { ...lookupOptions, all: true }, (error, found) => {
        if (error !== null) return callback(error, '')
        const records = found.map(({ address, family }) => ({ address, family }))
        const refusal = firstRefusal(records, port, name)
        const [first] = records
        if (refusal !== null) return callback(new BlockedAddressError(refusal), '')
        if (first === undefined) return callback(hostNotFoundError(name), '')
        if (lookupOptions.all === true) return callback(null, records)
        callback(null, first.address, first.family)
      })
    },
  }
}

/** Returns no addresses when the lookup fails or takes too long, so that the start of a meeting does not hang. */
function resolveWithin(
  resolve: ResolveHost,
  name: string,
  limitMs: number,
): Promise<LookupAddress[]> {
  return new Promise((settle) => {
    const timer = setTimeout(() => settle([]), limitMs)
    resolve(name, { all: true }, (error, records) => {
      clearTimeout(timer)
      settle(error === null ? records : [])
    })
  })
}

function hostNotFoundError(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no IP address`), { code: 'ENOTFOUND' })
}
