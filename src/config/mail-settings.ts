import { z } from 'zod'
import { OperatorError } from '../lib/operator-error.ts'
import { isLoopbackHost } from '../lib/net/ip-addresses.ts'
import { tryParseSmtpUrl } from '../lib/net/smtp-url.ts'
import { EmailAddress } from '../lib/text/validation.ts'
import { nonEmptyText } from './setting-schemas.ts'

const SENDER = /^(?:([^<>\p{Cc}]{0,100}?)\s*<([^<>\s]+)>|([^<>\s]+))$/u

/** `Hansard <hansard@example.com>`, or only the address. */
const sender = z.string().transform((value, context) => {
  const [, name = '', inBrackets, alone] = SENDER.exec(value.trim()) ?? []
  const address = EmailAddress.safeParse(inBrackets ?? alone)
  if (address.success) return { name: name.replaceAll('"', '').trim(), address: address.data }
  context.addIssue('must be an email address, such as Hansard <hansard@example.com>')
  return z.NEVER
})

const smtpUrl = z.string().refine((value) => tryParseSmtpUrl(value) !== null, {
  error: 'must be an address such as smtps://user:password@mail.example.com:465, without a path',
})

/** Settings for sending mail. */
export const MAIL_SETTINGS = {
  smtpUrl: {
    env: 'HANSARD_SMTP_URL',
    schema: smtpUrl,
    isSecret: true,
    about:
      'Mail server, as `smtp://user:password@host:587` (STARTTLS) or `smtps://user:password@host:465`; without it no mail is sent, see [mail.md](mail.md)',
  },
  smtpUrlFile: {
    env: 'HANSARD_SMTP_URL_FILE',
    schema: nonEmptyText,
    about: 'File that contains that address',
  },
  smtpTls: {
    env: 'HANSARD_SMTP_TLS',
    schema: z.enum(['required', 'opportunistic', 'off']),
    about:
      '`required`: mail is sent only over TLS with a valid certificate; `opportunistic`: TLS if the server offers it, with any certificate; `off`: never STARTTLS; if not set, `required`, and `opportunistic` for a server on this machine',
  },
  smtpCaFile: {
    env: 'HANSARD_SMTP_CA_FILE',
    schema: nonEmptyText,
    about: 'File with additional certificate authorities (PEM) to trust for the mail server',
  },
  mailFrom: {
    env: 'HANSARD_MAIL_FROM',
    schema: sender,
    about: 'Sender of mail, such as `Hansard <hansard@example.com>`; bounces go to this address',
  },
} as const

/** Finds combinations of these settings that make no sense. */
export function findMailSettingProblems(values: Readonly<Record<string, unknown>>): string[] {
  const { smtpUrl: url, smtpUrlFile: file, smtpTls: tls, mailFrom, publicUrl } = values
  const hasServer = url !== undefined || file !== undefined
  const problems = []
  if (url !== undefined && file !== undefined)
    problems.push('HANSARD_SMTP_URL and HANSARD_SMTP_URL_FILE exclude each other')
  if (hasServer !== (mailFrom !== undefined))
    problems.push('HANSARD_SMTP_URL and HANSARD_MAIL_FROM go together')
  if (hasServer && publicUrl === undefined)
    problems.push('HANSARD_SMTP_URL needs HANSARD_PUBLIC_URL, because mail contains links')
  const isImplicitTls = typeof url === 'string' && url.startsWith('smtps:')
  if (isImplicitTls && tls === 'off')
    problems.push('HANSARD_SMTP_TLS=off does not fit HANSARD_SMTP_URL with smtps://')
  return problems
}

/** How TLS is used if the settings do not say. */
function defaultSmtpTls(host: string): 'required' | 'opportunistic' {
  return isLoopbackHost(host) ? 'opportunistic' : 'required'
}

type MailConfig = {
  readonly smtpUrl: string | undefined
  readonly smtpUrlFile: string | undefined
  readonly smtpTls: 'required' | 'opportunistic' | 'off' | undefined
  readonly smtpCaFile: string | undefined
  readonly mailFrom: { name: string; address: string } | undefined
  readonly publicUrl: string | undefined
}

/** True if this instance can send mail. */
export function hasMailServer({ smtpUrl, smtpUrlFile }: MailConfig): boolean {
  return smtpUrl !== undefined || smtpUrlFile !== undefined
}

/**
 * What the settings say about the mail server. Null without one. `readFile` gets the name of the setting that names the
 * file.
 */
export function readMailServer(
  config: MailConfig,
  readFile: (settingName: string, path: string) => string,
) {
  const { smtpUrl, smtpUrlFile, smtpTls, smtpCaFile, mailFrom, publicUrl } = config
  if (mailFrom === undefined || publicUrl === undefined) return null
  const text =
    smtpUrlFile === undefined ? smtpUrl : readFile('HANSARD_SMTP_URL_FILE', smtpUrlFile).trim()
  if (text === undefined) return null
  const server = tryParseSmtpUrl(text)
  if (server === null)
    throw new OperatorError(
      'HANSARD_SMTP_URL_FILE: the file does not contain the address of a mail server',
      'Write one line such as smtps://user:password@mail.example.com:465 into it',
    )
  return {
    ...server,
    tls: server.isImplicitTls ? ('required' as const) : (smtpTls ?? defaultSmtpTls(server.host)),
    ca: smtpCaFile === undefined ? null : readFile('HANSARD_SMTP_CA_FILE', smtpCaFile),
    from: mailFrom,
    publicUrl,
  }
}
