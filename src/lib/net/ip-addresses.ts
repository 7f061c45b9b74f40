import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
export type IpNetwork = readonly [IpAddress, number]

/** How far an address reaches, from the harmless to what no setting opens. */
export const ADDRESS_CLASSES = ['public', 'private', 'reserved', 'never'] as const
export type AddressClass = (typeof ADDRESS_CLASSES)[number]

/** By the name that ipaddr.js has for the range; all other special ranges are reserved. */
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

/** All of IPv6 that has been given out to the public; whatever is new elsewhere is reserved until known. */
const GLOBAL_IPV6 = parseIpNetwork('2000::/3')
/** Well-known translators: such an address reaches what the IPv4 address in it reaches. */
const NAT64 = parseIpNetwork('64:ff9b::/96')

/**
 * Where clouds hand out credentials and settings to whoever asks from inside, besides the link-local ones.
 * Some of them look private, and that of Azure looks public.
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

/** Where an IPv6 address can carry an IPv4 address: which bytes, and whether they are inverted. */
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
  // 6to4; then the server and the client of Teredo.
  { network: parseIpNetwork('2002::/16'), bytes: [2, 3, 4, 5] },
  { network: parseIpNetwork('2001::/32'), bytes: [4, 5, 6, 7] },
  { network: parseIpNetwork('2001::/32'), bytes: LAST_FOUR, isInverted: true },
]
/** The middle of an ISATAP address, whatever its network; the first byte may have its second bit set. */
const ISATAP = [0x00, 0x00, 0x5e, 0xfe]

/** One form for each address: without a zone, and IPv4 written as IPv6 is IPv4. Null when it is none. */
export function parseIpAddress(text: string): IpAddress | null {
  const [bare = ''] = text.split('%')
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

/** A network such as `10.0.0.0/8`, or a single address. Throws on anything else. */
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

/** The address, and every IPv4 address that it may carry to a translator or a tunnel. */
export function withEmbeddedIpv4(address: IpAddress): IpAddress[] {
  if (address.kind() === 'ipv4' || isLoopbackOrUnspecified(address)) return [address]
  const bytes = address.toByteArray()
  const carried = EMBEDDED_IPV4.filter(({ network }) => isInNetwork(address, network)).map(
    ({ bytes: places, isInverted }) =>
      ipv4(places.map((place) => (bytes[place] ?? 0) ^ (isInverted ? 0xff : 0))),
  )
  const isIsatap = ISATAP.every(
    (byte, i) => ((bytes[8 + i] ?? 0) & (i === 0 ? 0xfd : 0xff)) === byte,
  )
  if (isIsatap) carried.push(ipv4(bytes.slice(12)))
  return [address, ...carried]
}

/** The worst of what the address and all that it carries reach. */
export function classifyAddress(address: IpAddress): AddressClass {
  const reaches = new Set(withEmbeddedIpv4(address).map(classifyWithoutEmbedded))
  return ADDRESS_CLASSES.findLast((reach) => reaches.has(reach)) ?? 'never'
}

export function isLoopback(address: IpAddress): boolean {
  return address.range() === 'loopback'
}

function classifyWithoutEmbedded(address: IpAddress): AddressClass {
  if (CLOUD_METADATA.some((network) => isInNetwork(address, network))) return 'never'
  if (isInNetwork(address, NAT64)) return 'public'
  const reach = CLASS_OF_RANGE[address.range()] ?? 'reserved'
  const isGlobal = address.kind() === 'ipv4' || isInNetwork(address, GLOBAL_IPV6)
  return reach === 'public' && !isGlobal ? 'reserved' : reach
}

/** `::` and `::1` lie in a network of carriers and carry nothing. */
function isLoopbackOrUnspecified(address: IpAddress): boolean {
  return address.range() === 'loopback' || address.range() === 'unspecified'
}

function ipv4(bytes: number[]): IpAddress {
  return new ipaddr.IPv4(bytes)
}
