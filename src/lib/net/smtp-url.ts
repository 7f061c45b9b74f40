export type SmtpServer = {
  host: string
  port: number
  /** True if the connection begins with TLS. Otherwise STARTTLS may follow. */
  isImplicitTls: boolean
  /** Null if the server needs no sign-in. */
  login: { user: string; password: string } | null
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

/** Parses `smtp://user:password@host:port` or `smtps://…`. Null if it is not such an address. */
export function tryParseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text)
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? '']
  if (url === null || defaultPort === undefined || url.hostname === '') return null
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return null
  const user = tryDecode(url.username)
  const password = tryDecode(url.password)
  if (user === null || password === null || (user === '') !== (password === '')) return null
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
    isImplicitTls: url.protocol === 'smtps:',
    login: user === '' ? null : { user, password },
  }
}

function tryDecode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
