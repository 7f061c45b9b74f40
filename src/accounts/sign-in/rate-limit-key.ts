import { parseIpAddress } from '../../lib/net/ip-addresses.ts'

const IPV6_SUBNET_BYTES = 8

/**
 * One household has a whole /64 of IPv6 addresses: guessing from each of them is guessing from one place.
 * However an address is written, it has one household. What is no address is its own.
 */
export function rateLimitKey(ip: string): string {
  const address = parseIpAddress(ip)
  if (address === null) return ip
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_SUBNET_BYTES)).toString('hex')}/64`
}
