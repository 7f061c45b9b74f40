import { networkInterfaces } from 'node:os'
import {
  isInNetwork,
  isLoopback,
  parseIpNetwork,
  classifyAddress,
  parseIpAddress,
  listAddressAndEmbeddedIpv4,
  type IpAddress,
} from '../../../lib/net/ip-addresses.ts'

export const NETWORK_POLICY_LEVELS = ['private-ok', 'public-only'] as const
export type NetworkPolicyLevel = (typeof NETWORK_POLICY_LEVELS)[number]

export type AddressRules = {
  level: NetworkPolicyLevel
  /**
   * Networks or addresses that are allowed at every level and port, including reserved ones. Link-local addresses,
   * metadata addresses and the ports of this service stay blocked.
   */
  allow: readonly string[]
  /** Networks or addresses that are blocked, even if `allow` lists them. */
  deny: readonly string[]
  /** The ports on which this service listens on this machine. */
  ownPorts(): readonly number[]
  /** The address of an external database of this service. */
  database?: { host: string; port: number } | null
  /** The IP addresses of this machine; by default those of its network interfaces. */
  ownAddresses?(): readonly string[]
}

/** Ports of services that could execute a request as commands, or that are internal by convention. */
export const PORTS_BLOCKED_BY_DEFAULT = new Set([
  0, 21, 22, 23, 25, 53, 110, 111, 143, 389, 445, 465, 587, 993, 995, 2375, 2376, 2379, 3306, 5432,
  6379, 10250, 11211, 27017,
])

/**
 * Null when the address is allowed, otherwise a sentence that says why not. The sentence names the host as the caller
 * wrote it and does not reveal the address it resolves to.
 */
export type AddressProblemFinder = (address: string, port: number, host: string) => string | null

export function createAddressProblemFinder(rules: AddressRules): AddressProblemFinder {
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

export function blockedPortMessage(port: number): string {
  return `Callbacks may not go to port ${port}, which other services use. Use a port such as 443 or 8080`
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? [])
}
