import { findUserContact } from '../../accounts/users/users.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { MailComposer } from '../mail.ts'
import type { MailBlock } from '../messages/mail-blocks.ts'
import { renderMail } from '../messages/render-mail.ts'
import { createUnsubscribeToken } from '../unsubscribe.ts'
import { readDigestChoice, toMailSchedule } from './digest-choice.ts'
import { findDigestPeriod } from './digest-schedule.ts'
import { formatPeriod, linkOfItem, readPersonDigest, type PersonDigest } from './person-digest.ts'

/** Where the mail leads to. */
export type DigestMailLinks = { publicUrl: string; unsubscribeUrl: string }

/** Makes a digest, if its recipient still wants one and may still read something that it would say. */
export function createDigestComposer({
  publicUrl,
  secretBox,
}: {
  publicUrl: string
  secretBox: SecretBox
}): MailComposer {
  return async (db, { userId, createdAt }) => {
    const user = userId === null ? null : await findUserContact(db, userId)
    if (user === null || userId === null) return 'content_gone'
    const schedule = toMailSchedule(await readDigestChoice(db, userId))
    if (schedule === null) return 'turned_off'
    const period = findDigestPeriod(schedule, createdAt)
    const person = { id: userId, role: user.role }
    const digest = await readPersonDigest(db, person, schedule, period)
    if (digest === null) return 'content_gone'
    const token = createUnsubscribeToken(secretBox, { whom: userId, what: 'digest' })
    const unsubscribeUrl = `${publicUrl}/unsubscribe/${token}`
    return {
      to: { name: user.name, address: user.email },
      unsubscribeUrl,
      ...renderDigestMail(digest, { publicUrl, unsubscribeUrl }),
    }
  }
}

/** The subject and both forms of the mail. */
export function renderDigestMail(
  digest: PersonDigest,
  { publicUrl, unsubscribeUrl }: DigestMailLinks,
): { subject: string; html: string; text: string } {
  const { schedule, counts, sections } = digest
  const name = `${schedule.frequency} digest`
  const rendered = renderMail({
    title: `Your ${name}`,
    blocks: [
      { kind: 'paragraph', text: formatPeriod(digest), isDim: true },
      ...sections.flatMap(({ heading, items, others }): MailBlock[] => [
        { kind: 'heading', text: heading },
        {
          kind: 'list',
          language: null,
          items: items.map((item) => ({
            text: item.text,
            notes: item.notes,
            links: [
              { label: item.meetingTitle ?? 'Open the meeting', url: linkOfItem(item, publicUrl) },
            ],
          })),
        },
        ...(others > 0
          ? [{ kind: 'paragraph', text: `${others} more in Hansard.`, isDim: true } as const]
          : []),
      ]),
      { kind: 'button', link: { label: 'Open Hansard', url: `${publicUrl}/` } },
    ],
    footer: {
      text: `You get this ${name} because you chose it.`,
      links: [
        { label: 'Change when you get it', url: `${publicUrl}/account?tab=notifications` },
        { label: 'Get no digest by mail', url: unsubscribeUrl },
      ],
    },
  })
  return { subject: `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${counts}`, ...rendered }
}
