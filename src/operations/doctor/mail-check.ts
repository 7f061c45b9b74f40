import { readMailServer } from '../../config/mail-settings.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { createMailSender } from '../../mail/smtp.ts'
import { readFileOrStdin } from '../../storage/data-folder.ts'
import type { CheckContext } from './checks.ts'

/** Connects to the mail server and signs in. No mail is sent. */
export async function checkMail({ config }: CheckContext): Promise<string> {
  const settings = readMailServer(config, readFileOrStdin)
  if (settings === null) return 'not set up: HANSARD_SMTP_URL is not set'
  const { host, port, tls, login } = settings
  try {
    await createMailSender(settings).check()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${host}, port ${port}: ${errorMessageOf(error)}`, undefined, error)
  }
  const details = [`TLS ${tls}`, login === null ? 'without signing in' : 'signed in']
  return `${host}, port ${port}: ready (${details.join(', ')})`
}
