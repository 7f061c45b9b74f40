/** The servers of HANSARD_GALENE_HOSTS: host names or addresses, with a port unless it is the usual one. */
export type GaleneHosts = readonly string[]

/** Whether the operator listed the server of a URL, with this port. */
export function isListedServer({ protocol, host }: URL, hosts: GaleneHosts): boolean {
  return hosts.some((listed) => URL.parse(`${protocol}//${listed}`)?.host === host)
}

/** Whether the operator listed a host with any port. A TURN server has another port than the website. */
export function isListedHost(hostname: string, hosts: GaleneHosts): boolean {
  const name = hostname.toLowerCase()
  return hosts.some((listed) => withoutBrackets(URL.parse(`https://${listed}`)?.hostname) === name)
}

/** URLs write an IPv6 address in brackets; sockets and lookups do not. */
export function withoutBrackets(hostname = ''): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
