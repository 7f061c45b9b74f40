import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
export type IpNetwork = readonly [IpAddress, number]

/** Classes of addresses, from unrestricted (`public`) to `never`, which no setting allows. */
export const ADDRESS_CLASSES = ['public', 'private', 'reserved', 'never'] as const
export type AddressClass = (typeof ADDRESS_CLASSES)[number]

/** The class of each range, by its name in ipaddr.js. All other special ranges are reserved. */
const CLASS_OF_RANGE: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  private: 'private',
  loopback: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  linkLocal: 'never',
  multicast: 'never',
  unspecified: 'never',
  broadcast: 'never',
}

/** The globally allocated part of IPv6. Addresses outside it are treated as reserved. */
const GLOBAL_IPV6 = parseIpNetwork('2000::/3')
/** Well-known NAT64 prefix. A translator forwards to the IPv4 address inside, so that address decides the class. */
const NAT64 = parseIpNetwork('64:ff9b::/96')

/**
 * Metadata services of clouds, which give credentials to any program on the machine. The link-local ones are in their
 * own range. Some of these look private, and Azure's looks public.
 */
const CLOUD_METADATA = [
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::/32',
  'fd20:ce::254',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
].map(parseIpNetwork)

const LAST_FOUR = [12, 13, 14, 15] as const

/** Networks whose IPv6 addresses contain an IPv4 address, with its bytes. `isInverted`: the bytes are inverted. */
const EMBEDDED_IPV4: ReadonlyArray<{
  network: IpNetwork
  bytes: readonly number[]
  isInverted?: true
}> = [
  { network: parseIpNetwork('::/96'), bytes: LAST_FOUR },
  { network: parseIpNetwork('::ffff:0:0:0/96'), bytes: LAST_FOUR },
  { network: NAT64, bytes: LAST_FOUR },
  { network: parseIpNetwork('64:ff9b:1::/48'), bytes: LAST_FOUR },
  { network: parseIpNetwork('64:ff9b:1::/48'), bytes: [6, 7, 9, 10] },
  // The first network is 6to4. The next two are the server and the client address of Teredo.
  { network: parseIpNetwork('2002::/16'), bytes: [2, 3, 4, 5] },
  { network: parseIpNetwork('2001::/32'), bytes: [4, 5, 6, 7] },
  { network: parseIpNetwork('2001::/32'), bytes: LAST_FOUR, isInverted: true },
]
/** Bytes 8 to 11 of an ISATAP address in any network. The second-lowest bit of the first byte may be set. */
const ISATAP = [0x00, 0x00, 0x5e, 0xfe]

/** Parses an IP address, drops the zone and turns IPv4-mapped IPv6 into IPv4. Null if the text is not an address. */
export function parseIpAddress(text: string): IpAddress | null {
  const [bare = ''] = text.split('%')
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

/** Parses a network such as `10.0.0.0/8`, or a single address as a network of one. Throws for any other text. */
export function parseIpNetwork(text: string): IpNetwork {
  const hasPrefix = text.includes('/')
  const [address, bits] = hasPrefix ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), null]
  const prefix = bits ?? (address.kind() === 'ipv4' ? 32 : 128)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return isMapped && prefix > 96 ? [address.toIPv4Address(), prefix - 96] : [address, prefix]
}

export function isInNetwork(address: IpAddress, [network, bits]: IpNetwork): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** The address and every IPv4 address that it embeds for a translator or a tunnel. */
export function listAddressAndEmbeddedIpv4(address: IpAddress): IpAddress[] {
  if (address.kind() === 'ipv4' || isLoopbackOrUnspecified(address)) return [address]
  const bytes = address.toByteArray()
  const embedded = EMBEDDED_IPV4.filter(({ network }) => isInNetwork(address, network)).map(
    ({ bytes: positions, isInverted }) =>
      ipv4(positions.map((position) => (bytes[position] ?? 0) ^ (isInverted ? 0xff : 0))),
  )
  const isIsatap = ISATAP.every(
    (byte, i) => ((bytes[8 + i] ?? 0) & (i === 0 ? 0xfd : 0xff)) === byte,
  )
  if (isIsatap) embedded.push(ipv4(bytes.slice(12)))
  return [address, ...embedded]
}

/** The most restricted class of the address and of all IPv4 addresses that it embeds. */
export function classifyAddress(address: IpAddress): AddressClass {
  const classes = new Set(listAddressAndEmbeddedIpv4(address).map(classifyWithoutEmbedded))
  return ADDRESS_CLASSES.findLast((addressClass) => classes.has(addressClass)) ?? 'never'
}

export function isLoopback(address: IpAddress): boolean {
  return address.range() === 'loopback'
}

/** True if a host is this machine: `localhost` or a loopback address, without brackets. */
export function isLoopbackHost(host: string): boolean {
  const address = parseIpAddress(host)
  return address === null ? host === 'localhost' : isLoopback(address)
}

/** False if the text is not an address. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  return address !== null && classifyAddress(address) === 'public'
}

function classifyWithoutEmbedded(address: IpAddress): AddressClass {
  if (CLOUD_METADATA.some((network) => isInNetwork(address, network))) return 'never'
  if (isInNetwork(address, NAT64)) return 'public'
  const addressClass = CLASS_OF_RANGE[address.range()] ?? 'reserved'
  const isGlobal = address.kind() === 'ipv4' || isInNetwork(address, GLOBAL_IPV6)
  return addressClass === 'public' && !isGlobal ? 'reserved' : addressClass
}

/** `::` and `::1` are inside `::/96`, but embed no IPv4 address. */
function isLoopbackOrUnspecified(address: IpAddress): boolean {
  return address.range() === 'loopback' || address.range() === 'unspecified'
}

function ipv4(bytes: number[]): IpAddress {
  return new ipaddr.IPv4(bytes)
}

/** The URL where this machine can reach a server that listens on the given host and port. */
export function localHttpUrl(host: string, port: number): string {
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
