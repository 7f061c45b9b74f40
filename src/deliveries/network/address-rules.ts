import { networkInterfaces } from 'node:os'
import {
  isInNetwork,
  isLoopback,
  parseIpNetwork,
  classifyAddress,
  parseIpAddress,
  withEmbeddedIpv4,
  type IpAddress,
} from '../../lib/net/ip-addresses.ts'

export const POLICY_LEVELS = ['private-ok', 'public-only'] as const
export type PolicyLevel = (typeof POLICY_LEVELS)[number]

export type AddressRules = {
  level: PolicyLevel
  /**
   * Networks or addresses that are open whatever the level and the port, also reserved ones. Link-local and
   * metadata addresses and the ports of this service stay closed all the same.
   */
  allow: readonly string[]
  /** Networks or addresses that are closed, also where `allow` opens them. */
  deny: readonly string[]
  /** Ports of this service on this machine. */
  ownPorts(): readonly number[]
  /** Where its database is, when that is outside. */
  database?: { host: string; port: number } | null
  /** The addresses of this machine. */
  ownAddresses?(): readonly string[]
}

/** Services that would take a request for commands, or that are never meant for the outside. */
export const BLOCKED_PORTS = new Set([
  0, 21, 22, 23, 25, 53, 110, 111, 143, 389, 445, 465, 587, 993, 995, 2375, 2376, 2379, 3306, 5432,
  6379, 10250, 11211, 27017,
])

/** A sentence about `called` when the address is closed, or null. Names are not told where they lead. */
export type AddressCheck = (text: string, port: number, called: string) => string | null

export function createAddressCheck(rules: AddressRules): AddressCheck {
  const { level, allow, deny, ownPorts, ownAddresses, database = null } = rules
  const allowed = allow.map(parseIpNetwork)
  const denied = deny.map(parseIpNetwork)
  const isOwn = (address: IpAddress) =>
    isLoopback(address) ||
    (ownAddresses ?? machineAddresses)().some(
      (own) => parseIpAddress(own)?.toString() === address.toString(),
    )

  const isDatabase = (text: string, port: number, called: string) =>
    port === database?.port && (text === database.host || called === database.host)

  return (text, port, called) => {
    const address = parseIpAddress(text)
    if (address === null) return `${called} does not lead to an address`
    const all = withEmbeddedIpv4(address)
    const reach = classifyAddress(address)
    if (all.some((one) => denied.some((network) => isInNetwork(one, network)))) {
      return `Callbacks to ${called} are closed by the settings of this service`
    }
    if (reach === 'never') return `${called} is no address for callbacks`
    if (ownPorts().includes(port) && all.some(isOwn)) return `${called} is this service itself`
    if (isDatabase(text, port, called) || (port === database?.port && all.some(isOwn))) {
      return `${called} is the database of this service`
    }
    if (allowed.some((network) => isInNetwork(address, network))) return null
    if (BLOCKED_PORTS.has(port)) return blockedPortMessage(port)
    if (reach === 'reserved') return `${called} is in a range that is reserved`
    return reach === 'private' && level === 'public-only'
      ? `${called} is not public, and callbacks may go to public addresses only`
      : null
  }
}

export function blockedPortMessage(port: number): string {
  return `Callbacks may not go to port ${port}`
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? [])
}
