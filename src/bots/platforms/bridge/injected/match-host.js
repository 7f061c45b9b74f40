/** True if a host is one of the given hosts or a subdomain of one. */
export function isHostOrSubdomain(hostname, hosts) {
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}
