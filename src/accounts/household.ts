import { readAddress } from '../lib/addresses.ts'

const BYTES_OF_A_HOUSEHOLD = 8

/**
 * One household has a whole /64 of IPv6 addresses: guessing from each of them is guessing from one place.
 * However an address is written, it has one household. What is no address is its own.
 */
export function householdOf(ip: string): string {
  const address = readAddress(ip)
  if (address === null) return ip
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, BYTES_OF_A_HOUSEHOLD)).toString('hex')}/64`
}
