import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { type LookupFunction, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import {
  isInNetwork,
  isLoopback,
  parseIpNetwork,
  classifyAddress,
  parseIpAddress,
  listAddressAndEmbeddedIpv4,
  type IpAddress,
} from '../lib/net/ip-addresses.ts'
import { createFairDnsLookup, type ResolveHost } from './dns-lookups.ts'

export type NetworkPolicyOptions = AddressRules & {
  resolve?: ResolveHost
  /** How many DNS lookups the system runs concurrently. */
  dnsThreads?: number
  /** How long the start of a meeting waits for the name server. */
  startLookupTimeoutMs?: number
}

export interface NetworkPolicy {
  /** Null if callbacks may go to this URL, otherwise a sentence that says why not. Makes no DNS lookup. */
  checkUrl(url: string): string | null
  /** Like checkUrl, but also checks the resolved addresses. A name that can't be resolved now is allowed. */
  checkUrlWithDns(url: string): Promise<string | null>
  /** Returns a DNS lookup for connections to this port. It fails if any address of the name is not allowed. */
  guardedLookup(port: number): LookupFunction
}

/** The error of guardedLookup if a name has a forbidden address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code = 'ERR_BLOCKED_ADDRESS'
}

/** Host names of cloud metadata services. */
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog'])
const LOCAL_NAME = /(?:^|\.)localhost$/
const START_LOOKUP_MS = 3_000

export const NETWORK_POLICY_LEVELS = ['private-ok', 'public-only'] as const
export type NetworkPolicyLevel = (typeof NETWORK_POLICY_LEVELS)[number]

type AddressRules = {
  level: NetworkPolicyLevel
  /**
   * Networks or addresses that are allowed at every level and port, even if they are reserved. Link-local addresses,
   * metadata addresses and this service's ports stay blocked.
   */
  allow: readonly string[]
  /** Networks or addresses that are blocked, even if `allow` lists them. */
  deny: readonly string[]
  /** The ports on this machine where this service listens. */
  ownPorts(): readonly number[]
  /** The address of this service's external database. */
  database?: { host: string; port: number } | null
  /** The IP addresses of this machine. By default, the addresses of its network interfaces. */
  ownAddresses?(): readonly string[]
}

/** Ports of services that could execute a request as commands, or that are internal by convention. */
const PORTS_BLOCKED_BY_DEFAULT = new Set([
  0, 21, 22, 23, 25, 53, 110, 111, 143, 389, 445, 465, 587, 993, 995, 2375, 2376, 2379, 3306, 5432,
  6379, 10250, 11211, 27017,
])

/**
 * Null if the address is allowed, otherwise a sentence that says why not. The sentence names the host as the caller
 * wrote it, and does not reveal the resolved address.
 */
type AddressProblemFinder = (address: string, port: number, host: string) => string | null

type HttpCallbackTarget = {
  url: URL
  /** The host of the callback URL in lower-case ASCII, without IPv6 brackets or a trailing dot. */
  host: string
  isIpAddress: boolean
  port: number
}

const MAX_LENGTH = 2_048
const MAX_NAME_LENGTH = 253
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** URL parsers disagree about these characters, so a URL that contains one is refused. */
// eslint-disable-next-line no-control-regex
const AMBIGUOUS_CHARACTERS = /[\s\\\u0000-\u001f\u007f]/
const HTTP_START = /^https?:\/\/(?=[^/?#])/i
const AUTHORITY = /^https?:\/\/([^/?#]*)/i
const LABEL = /^[a-z0-9_-]{1,63}$/

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
    // A localhost name is refused only if both loopback addresses are. guardedLookup checks the real address later.
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

/** Returns no addresses if the lookup fails or takes too long, so that the start of a meeting does not hang. */
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

function createAddressProblemFinder(rules: AddressRules): AddressProblemFinder {
  const { level, allow, deny, ownPorts, ownAddresses, database = null } = rules
  const allowed = allow.map(parseIpNetwork)
  const denied = deny.map(parseIpNetwork)
  const isThisMachine = (address: IpAddress) =>
    isLoopback(address) ||
    (ownAddresses ?? machineAddresses)().some(
      (own) => parseIpAddress(own)?.toString() === address.toString(),
    )

  const isDatabase = (text: string, port: number, host: string) =>
    port === database?.port && (text === database.host || host === database.host)

  return (text, port, host) => {
    const address = parseIpAddress(text)
    if (address === null) return `${host} does not resolve to an IP address`
    const all = listAddressAndEmbeddedIpv4(address)
    const reach = classifyAddress(address)
    if (all.some((one) => denied.some((network) => isInNetwork(one, network)))) {
      return `Callbacks to ${host} are blocked by the settings of this service (HANSARD_CALLBACK_DENY)`
    }
    if (reach === 'never') return `Callbacks cannot be sent to ${host}`
    if (ownPorts().includes(port) && all.some(isThisMachine))
      return `${host} is this service itself`
    if (isDatabase(text, port, host) || (port === database?.port && all.some(isThisMachine))) {
      return `${host} is the database of this service`
    }
    if (allowed.some((network) => isInNetwork(address, network))) return null
    if (PORTS_BLOCKED_BY_DEFAULT.has(port)) return blockedPortMessage(port)
    if (reach === 'reserved')
      return `${host} is in a reserved address range, which only HANSARD_CALLBACK_ALLOW opens`
    return reach === 'private' && level === 'public-only'
      ? `${host} is not public, and HANSARD_CALLBACK_POLICY allows only public addresses. HANSARD_CALLBACK_ALLOW lists exceptions`
      : null
  }
}

function blockedPortMessage(port: number): string {
  return `Callbacks may not go to port ${port}, which other services use. Use a port such as 443 or 8080`
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? [])
}

/** Returns the parsed callback URL, or a sentence that says why the URL is not valid. */
function parseCallbackUrlOrProblem(text: string): HttpCallbackTarget | string {
  if (text.length > MAX_LENGTH) return tooLong()
  if (AMBIGUOUS_CHARACTERS.test(text))
    return 'The URL must not contain white space, control characters or backslashes'
  if (!HTTP_START.test(text)) return 'The URL must start with http:// or https://'
  const url = URL.parse(text)
  if (url === null) return 'This is not a valid URL'
  // Checks the length again, because percent-encoding of non-ASCII letters can make the URL longer.
  if (url.href.length > MAX_LENGTH) return tooLong()
  if (AUTHORITY.exec(text)?.[1]?.includes('@') !== false) {
    return 'The URL must not contain a user name or password'
  }
  return toCallbackTarget(url)
}

function toCallbackTarget(url: URL): HttpCallbackTarget | string {
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port)
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0) return { url, host: literal, isIpAddress: true, port }
  const host = url.hostname.replace(/\.$/, '')
  const isName = host.length <= MAX_NAME_LENGTH && host.split('.').every((part) => LABEL.test(part))
  return isName
    ? { url, host, isIpAddress: false, port }
    : 'The URL does not contain a valid host name'
}

function tooLong(): string {
  return `The URL is longer than ${MAX_LENGTH} characters`
}
