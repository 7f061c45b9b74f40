import { parseIpAddress } from '../../lib/net/ip-addresses.ts'

const IPV6_SUBNET_BYTES = 8

/**
 * The key that sign-in attempts from an address are counted under. All addresses of an IPv6 /64 network share a key,
 * because one customer usually gets the whole network. Text that is not an IP address is returned unchanged.
 */
export function ipToRateLimitKey(ip: string): string {
  const address = parseIpAddress(ip)
  if (address === null) return ip
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_SUBNET_BYTES)).toString('hex')}/64`
}
