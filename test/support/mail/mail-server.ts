import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../time/eventually.ts'
import { parseMail, type ReceivedMail } from './parse-mail.ts'

const CERTIFICATES = join(import.meta.dirname, '../certificates')
export const CA_FILE = join(CERTIFICATES, 'authority.pem')
export const LOGIN = { user: 'hansard@example.com', password: 'p:w/@ 1' }

/**
 * How the server treats a mail. `refuse`: answers RCPT TO with the code. `reject`: answers the whole mail with the code.
 * `hang`: takes the mail and never answers. `drop`: takes the mail, keeps it and ends the connection without an answer.
 */
export type MailTreatment =
  | 'accept'
  | 'hang'
  | 'drop'
  | { refuse: number; text?: string }
  | { reject: number; text?: string }

type MailServerOptions = {
  tls?: 'none' | 'starttls' | 'implicit'
  /** The certificate names another host. */
  isForElsewhere?: boolean
  needsLogin?: boolean
  treat?: (recipient: string) => MailTreatment
}

export type TestMailServer = AsyncDisposable & {
  url: string
  port: number
  /** Every mail that the server took, even if it did not say so. */
  mails: ReceivedMail[]
  /** How often each recipient was tried. */
  attempts: Map<string, number>
  waitForMails(count: number): Promise<ReceivedMail[]>
}

/** A real mail server on a free port of this machine. */
export async function openMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const {
    tls = 'none',
    isForElsewhere = false,
    needsLogin = false,
    treat = () => 'accept',
  } = options
  const mails: ReceivedMail[] = []
  const attempts = new Map<string, number>()
  const treatments = new Map<string, MailTreatment>()
  const server = new SMTPServer({
    secure: tls === 'implicit',
    cert: readFileSync(join(CERTIFICATES, isForElsewhere ? 'elsewhere.pem' : 'localhost.pem')),
    key: readFileSync(join(CERTIFICATES, 'key.pem')),
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(needsLogin ? [] : ['AUTH'])],
    authOptional: !needsLogin,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === LOGIN.user && password === LOGIN.password
      callback(isRight ? null : codedError(535, 'Wrong name or password'), { user: username })
    },
    onRcptTo({ address }, session, callback) {
      attempts.set(address, (attempts.get(address) ?? 0) + 1)
      const treatment = treat(address)
      treatments.set(session.id, treatment)
      if (typeof treatment === 'object' && 'refuse' in treatment)
        callback(codedError(treatment.refuse, treatment.text ?? 'No'))
      else callback()
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const treatment = treatments.get(session.id) ?? 'accept'
        if (typeof treatment === 'object' && 'reject' in treatment)
          return callback(codedError(treatment.reject, treatment.text ?? 'No'))
        const { rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        mails.push(parseMail(Buffer.concat(chunks).toString(), to, session.secure))
        if (treatment === 'hang') return undefined
        if (treatment === 'drop') return dropConnections()
        return callback(null, 'Queued')
      })
    },
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const dropConnections = () => sockets.forEach((socket) => socket.destroy())
  // A client that ends its connection is not an error of the test.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const login = needsLogin
    ? `${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.password)}@`
    : ''
  return {
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${login}localhost:${port}`,
    port,
    mails,
    attempts,
    waitForMails: (count) => eventually(async () => (mails.length >= count ? mails : null), 60_000),
    async [Symbol.asyncDispose]() {
      dropConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function codedError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

/** The settings of a service that sends mail to the server. */
export function mailSettings(server: Pick<TestMailServer, 'url'>): Record<string, string> {
  return {
    HANSARD_SMTP_URL: server.url,
    HANSARD_SMTP_CA_FILE: CA_FILE,
    HANSARD_MAIL_FROM: 'Hansard <hansard@example.com>',
    HANSARD_PUBLIC_URL: 'http://hansard.example',
  }
}

/**
 * The address of a service in its own process, which the service itself names in its links. The port is free now, and
 * still is when the service starts again.
 */
export async function createAddressSettings(): Promise<Record<string, string>> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return { HANSARD_PORT: String(port), HANSARD_PUBLIC_URL: `http://127.0.0.1:${port}` }
}
