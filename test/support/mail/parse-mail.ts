export type ReceivedMail = {
  /** The recipients of the envelope. */
  to: string[]
  isSecure: boolean
  /** The header fields by their name in lower case, unfolded and not decoded. */
  headers: Map<string, string[]>
  subject: string
  html: string
  text: string
  raw: string
}

/** Parses what nodemailer writes: two text parts in one multipart mail. */
export function parseMail(raw: string, to: string[], isSecure: boolean): ReceivedMail {
  const { headers, body } = splitHead(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitHead(part.replace(/^\r\n/, '')))
  const textOf = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.[0]?.startsWith(type))
    return part === undefined ? '' : decodeBody(part)
  }
  return {
    to,
    isSecure,
    headers,
    subject: decodeWords(headers.get('subject')?.[0] ?? ''),
    html: textOf('text/html'),
    text: textOf('text/plain'),
    raw,
  }
}

/** Decodes the encoded words of a header, such as `=?UTF-8?Q?caf=C3=A9?=`. */
export function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('latin1')
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    )
    .replace(/[\s\S]*/, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'))
}

function splitHead(text: string): { headers: Map<string, string[]>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const headers = new Map<string, string[]>()
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return { headers, body: text.slice(end + 4) }
}

function decodeBody({ headers, body }: ReturnType<typeof splitHead>): string {
  const encoding = headers.get('content-transfer-encoding')?.[0]
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
