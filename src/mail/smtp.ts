import type { SecureContext } from 'node:tls'
import type * as Nodemailer from 'nodemailer'
import { errorMessageOf } from '../lib/error-code.ts'
import { lazyRequire } from '../lib/lazy-require.ts'
import type { SmtpServer } from '../lib/net/smtp-url.ts'
import { toPlainLine } from '../lib/text/plain-text.ts'
import { EmailAddress } from '../lib/text/validation.ts'
import { createTrustedTlsContext } from '../network/connection-pool.ts'
import type { Mailbox, MailMessage } from './mail.ts'

export type SmtpSettings = SmtpServer & {
  tls: 'required' | 'opportunistic' | 'off'
  /** Further certificate authorities, in PEM. Null for those of the system. */
  ca: string | null
  from: Mailbox
}

/**
 * `sent`: the server accepted the mail. `refused`: it will never accept this mail. `failed`: it may accept it later.
 * `response` is what the server said, or why it said nothing.
 */
export type SendResult = { outcome: 'sent' | 'refused' | 'failed'; response: string }

const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 15_000
const SOCKET_TIMEOUT_MS = 30_000
/** For a server that always answers a little. */
const TOTAL_TIMEOUT_MS = 120_000
const MAX_RESPONSE_CHARS = 300

/** nodemailer is loaded by the first mail, not at startup. */
const nodemailer = lazyRequire('nodemailer') as () => typeof Nodemailer

/** Answers about the sign-in. Other settings may change them, so the mail is not refused for good. */
const SIGN_IN_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538])
/** Commands whose answers are about the mail and not about the connection. */
const MAIL_COMMANDS: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/** Sends mail to one mail server. */
export function createMailSender(settings: SmtpSettings) {
  const secureContext = createTrustedTlsContext(settings.ca ?? undefined, 'HANSARD_SMTP_CA_FILE')
  const transport = () => nodemailer().createTransport(toTransportOptions(settings, secureContext))
  return {
    /** Sends a mail over a new connection. Rejects only if the signal aborts; the mail may have been sent then. */
    async send(message: MailMessage, messageId: string, signal: AbortSignal): Promise<SendResult> {
      if (!EmailAddress.safeParse(message.to.address).success)
        return { outcome: 'refused', response: 'The recipient has no valid email address' }
      const deadline = AbortSignal.timeout(TOTAL_TIMEOUT_MS)
      try {
        const mail = { ...toNodemailerMessage(message, settings.from), messageId }
        const info = await transport().sendMail({
          ...mail,
          signal: AbortSignal.any([signal, deadline]),
        })
        return { outcome: 'sent', response: cleanResponse(info.response) }
      } catch (error) {
        if (signal.aborted) throw error
        if (deadline.aborted)
          return { outcome: 'failed', response: 'The mail server took longer than two minutes' }
        return {
          outcome: isRefusal(error) ? 'refused' : 'failed',
          response: describeFailure(error),
        }
      }
    },

    /** Connects and signs in, and sends nothing. Throws if that fails. */
    async check(): Promise<void> {
      try {
        await transport().verify()
      } catch (error) {
        throw new Error(describeFailure(error), { cause: error })
      }
    },
  }
}

export type MailSender = ReturnType<typeof createMailSender>

/** The id is derived from the stored mail, so a mail that is sent again after a crash has the same id. */
export function formatMessageId(mailId: string, { address }: Mailbox): string {
  return `<${mailId}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

function toTransportOptions(
  { host, port, isImplicitTls, login, tls }: SmtpSettings,
  secureContext: SecureContext | null,
) {
  return {
    host,
    port,
    secure: isImplicitTls,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    opportunisticTLS: tls === 'opportunistic',
    ...(login !== null && {
      auth: { user: login.user, pass: login.password },
      // Otherwise mail would be sent without signing in to a server that offers no sign-in.
      forceAuth: true,
    }),
    tls: {
      rejectUnauthorized: tls === 'required',
      ...(secureContext !== null && { secureContext }),
    },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // No text of a person is ever treated as a file name or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function toNodemailerMessage(message: MailMessage, from: Mailbox) {
  const { to, subject, text, html, unsubscribeUrl } = message
  return {
    from: toHeaderAddress(from),
    to: toHeaderAddress(to),
    envelope: { from: from.address, to: [to.address] },
    subject: toPlainLine(subject, MAX_SUBJECT_CHARS),
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

const MAX_SUBJECT_CHARS = 200
const MAX_NAME_CHARS = 100

/** nodemailer encodes names. Here they only become one line, so that a name can't look like several addresses. */
function toHeaderAddress({ name, address }: Mailbox): Mailbox {
  return { name: toPlainLine(name.replaceAll(/[<>"@,;]/g, ' '), MAX_NAME_CHARS), address }
}

type SmtpError = { code?: string; command?: string; responseCode?: number; permanent?: boolean }

function isRefusal(error: unknown): boolean {
  const { code, command = '', responseCode, permanent } = error as SmtpError
  // The library found an address or a size that no server accepts.
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE'
  return permanent === true && MAIL_COMMANDS.has(command) && !SIGN_IN_CODES.has(responseCode)
}

const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  EDNS: 'The name of the mail server was not found',
  ETIMEDOUT: 'The mail server did not answer in time',
  ECONNECTION: 'The mail server closed the connection',
  ESOCKET: 'The mail server cannot be reached',
  ETLS: 'There is no secure connection to the mail server',
  EAUTH: 'The mail server refused the sign-in',
}

function describeFailure(error: unknown): string {
  const { code = '', response } = error as SmtpError & { response?: string }
  const about = FAILURE_TEXTS[code]
  const detail = typeof response === 'string' ? response : errorMessageOf(error)
  return cleanResponse(about === undefined ? detail : `${about}: ${detail}`)
}

function cleanResponse(text: string): string {
  return toPlainLine(text, MAX_RESPONSE_CHARS)
}
