type Site = { /** Shown to people, such as `Google Meet`. */ title: string; host: string }

type NetworkFaultText = {
  /** What is wrong, in everyday words. `reason` is the technical reason; empty if there is none. */
  what(site: Site, reason: string): string
  /** What to do about it. */
  fix(site: Site): string
}

/**
 * Why a website cannot be reached, in the order of the steps: name, connection, encryption, page. `hansard doctor`, the
 * System page and the page of a meeting that could not be joined all use these texts, so they agree.
 */
export const NETWORK_FAULTS = {
  offline: {
    what: ({ title }) => `This server has no network connection, so it can’t reach ${title}`,
    fix: () => 'Connect the server to the internet, then try again',
  },
  name_not_found: {
    what: ({ title, host }) =>
      `This server can’t find ${title} (${host}): it has no internet connection, or its DNS server doesn’t know the name`,
    fix: () => 'Check the internet connection and the DNS settings of the server, then try again',
  },
  dns_silent: {
    what: ({ title, host }) =>
      `This server can’t find ${title} (${host}): its DNS server doesn’t answer. The server may have no internet connection`,
    fix: () => 'Check the internet connection and the DNS settings of the server, then try again',
  },
  address_blocked: {
    what: ({ title, host }) =>
      `On this server the name of ${title} (${host}) leads to an address that is not on the internet, which bots may not open`,
    fix: () =>
      'A filter or a sign-in page of the network may have replaced the address: check the DNS settings of the server',
  },
  connection_failed: {
    what: ({ title, host }, reason) =>
      `This server can’t connect to ${title} (${host})${inBrackets(reason)}`,
    fix: ({ host }) =>
      `Check the internet connection of the server, and allow connections to ${host} on port 443 in the firewall`,
  },
  connection_silent: {
    what: ({ title, host }) => `${title} (${host}) doesn’t answer this server`,
    fix: ({ host }) =>
      `Check the internet connection of the server, and allow connections to ${host} on port 443 in the firewall`,
  },
  certificate_rejected: {
    what: ({ title, host }, reason) =>
      `This server gets a certificate for ${title} (${host}) that it doesn’t trust${inBrackets(reason)}`,
    fix: () =>
      'A proxy may open encrypted connections: exempt this site from it. Also check the clock of the server',
  },
  encryption_failed: {
    what: ({ title, host }, reason) =>
      `The encrypted connection from this server to ${title} (${host}) fails${inBrackets(reason)}`,
    fix: () => 'A proxy or firewall may block encrypted connections: allow this site in it',
  },
  page_error: {
    what: ({ title, host }, reason) =>
      `The website of ${title} (${host}) answers with an error${inBrackets(reason)}`,
    fix: () =>
      'Try again in a few minutes. If it stays, check whether a proxy answers in place of the site',
  },
  page_silent: {
    what: ({ title, host }) =>
      `The website of ${title} (${host}) accepts a connection but sends no page`,
    fix: () =>
      'Try again in a few minutes. If it stays, check whether a proxy answers in place of the site',
  },
} as const satisfies Record<string, NetworkFaultText>

export type NetworkFaultName = keyof typeof NETWORK_FAULTS

/** A failed attempt to reach a website. */
export type NetworkFault = { name: NetworkFaultName; host: string; reason: string }

export function describeNetworkFault(
  { name, host, reason }: NetworkFault,
  title: string,
): { what: string; fix: string } {
  const text: NetworkFaultText = NETWORK_FAULTS[name]
  return { what: text.what({ title, host }, reason), fix: text.fix({ title, host }) }
}

function inBrackets(reason: string): string {
  return reason === '' ? '' : `: ${reason}`
}
