import { findOpenInvitation } from '../../accounts/users/invitations.ts'
import { findOpenReset } from '../../accounts/users/password-resets.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { MailComposer } from '../mail.ts'
import { renderMail } from './render-mail.ts'

type Parts = { publicUrl: string; clock: Clock }

/** The mail with the link of an invitation, while the link works. */
export function createInvitationComposer({ publicUrl, clock }: Parts): MailComposer {
  return async (db, { address, code }) => {
    const invitation = code === null ? null : await findOpenInvitation(db, code, clock.now())
    if (code === null || address === null || invitation === null) return 'link_ended'
    return {
      to: { name: '', address },
      subject: 'You are invited to Hansard',
      unsubscribeUrl: null,
      ...renderMail({
        title: 'You are invited to Hansard',
        blocks: [
          {
            kind: 'paragraph',
            text: `An administrator of ${hostOf(publicUrl)} invited you. Hansard writes down meetings, with their decisions and action items.`,
          },
          {
            kind: 'button',
            link: { label: 'Create your account', url: `${publicUrl}/invite#${code}` },
          },
          { kind: 'paragraph', text: describeEnd(invitation.expiresAt), isDim: true },
        ],
        footer: {
          text: 'If you do not know why you get this mail, ignore it. Nothing happens without the link.',
          links: [],
        },
      }),
    }
  }
}

/** The mail with the link to set a new password, while the link works. */
export function createResetComposer({ publicUrl, clock }: Parts): MailComposer {
  return async (db, { code }) => {
    const reset = code === null ? null : await findOpenReset(db, code, clock.now())
    if (code === null || reset === null) return 'link_ended'
    return {
      to: { name: reset.name, address: reset.email },
      subject: 'Set a new password for Hansard',
      unsubscribeUrl: null,
      ...renderMail({
        title: 'Set a new password',
        blocks: [
          {
            kind: 'paragraph',
            text: `An administrator of ${hostOf(publicUrl)} made this link for you. It signs you out everywhere else and ends your personal API tokens.`,
          },
          {
            kind: 'button',
            link: { label: 'Set a new password', url: `${publicUrl}/reset#${code}` },
          },
          { kind: 'paragraph', text: describeEnd(reset.expiresAt), isDim: true },
        ],
        footer: {
          text: 'If you did not ask for this, ignore it and tell your administrator. Your password stays as it is.',
          links: [],
        },
      }),
    }
  }
}

function describeEnd(expiresAt: Date): string {
  const time = expiresAt.toLocaleString('en-GB', {
    timeZone: 'UTC',
    dateStyle: 'long',
    timeStyle: 'short',
  })
  return `The link works once, until ${time} UTC. Do not pass it on.`
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).host
}
