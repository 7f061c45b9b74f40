import type { LinkMailer } from '../../accounts/users/invitations.ts'
import { sha256, type SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { codeLabel, enqueueMail } from './enqueue.ts'

/**
 * Stores the mail with a link. Its code, of which only a hash is stored elsewhere, is encrypted, and deleted when the
 * mail is finished.
 */
export function createLinkMailer({
  clock,
  secretBox,
}: {
  clock: Clock
  secretBox: SecretBox
}): LinkMailer {
  const seal = (kind: 'invitation' | 'password_reset', code: string) => ({
    kind,
    sealedCode: secretBox.seal(code, codeLabel(kind)),
  })
  return {
    async invitation(tx, { id, email, code }) {
      const mail = { uniqueKey: `invitation:${id}`, to: { address: email } }
      await enqueueMail(tx, [{ ...seal('invitation', code), ...mail }], clock.now())
    },

    async passwordReset(tx, { userId, code }) {
      const mail = { uniqueKey: `reset:${sha256(code).toString('hex')}`, to: { userId } }
      await enqueueMail(tx, [{ ...seal('password_reset', code), ...mail }], clock.now())
    },
  }
}
