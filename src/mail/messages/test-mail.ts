import { findUserContact } from '../../accounts/users/users.ts'
import type { MailComposer } from '../mail.ts'
import { renderMail } from './render-mail.ts'

/** A mail that an administrator sends to themselves, to see if mail arrives. */
export function createTestMailComposer(publicUrl: string): MailComposer {
  return async (db, { userId }) => {
    const user = userId === null ? null : await findUserContact(db, userId)
    if (user === null) return 'content_gone'
    return {
      to: { name: user.name, address: user.email },
      subject: 'Test mail from Hansard',
      unsubscribeUrl: null,
      ...renderMail({
        title: 'Mail works',
        blocks: [
          {
            kind: 'paragraph',
            text: 'Hansard can send mail. If this is in your spam folder, check SPF, DKIM and DMARC of the domain that Hansard sends from.',
          },
          {
            kind: 'button',
            link: { label: 'Open the mail page', url: `${publicUrl}/system?tab=mail` },
          },
        ],
        footer: {
          text: 'You get this mail because you asked for a test on the System page.',
          links: [],
        },
      }),
    }
  }
}
