import type { UserViewer } from '../../access/viewer.ts'
import { findUserContact } from '../../accounts/users/users.ts'
import { isEmptyBrief, type Brief } from '../../brief/brief.ts'
import { listBriefSections } from '../../brief/brief-sections.ts'
import { insertClaim } from '../../brief/brief-claims.ts'
import type { BriefCollector } from '../../brief/collect-brief.ts'
import { findDuePersonBriefs, type DuePersonBrief } from '../../brief/person-briefs.ts'
import { mayBeBriefed } from '../../calendars/briefed-meeting.ts'
import type { Db } from '../../db/database.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { removeDirectionMarks, toPlainLine } from '../../lib/text/plain-text.ts'
import type { Log } from '../../log.ts'
import type { MailComposer } from '../mail.ts'
import type { MailBlock } from '../messages/mail-blocks.ts'
import { renderMail } from '../messages/render-mail.ts'
import { listBriefWishes, readMailChoice } from '../mail-choices.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { createUnsubscribeToken } from '../unsubscribe.ts'

type EnqueueParts = { db: Db; log: Log; collectBrief: BriefCollector }

/** So that other mail does not wait for the briefs of a large organization. */
const MAX_PER_ROUND = 20
const MAX_TITLE_CHARS = 120

/**
 * Stores the mail with each brief that is due, with the claim in one transaction. So a person gets a brief of a meeting
 * once, whatever node looks first and even if it is killed. Nothing is stored if nothing is known.
 */
export async function enqueueDueBriefs(parts: EnqueueParts, now: Date): Promise<void> {
  const wishes = await listBriefWishes(parts.db)
  if (wishes.length === 0) return
  for (const due of await findDuePersonBriefs(parts.db, wishes, now, MAX_PER_ROUND)) {
    try {
      await enqueueBrief(parts, due, now)
    } catch (error) {
      // The next round tries it again. Other mail must not wait for it.
      const { userId, upcomingId } = due
      parts.log.error({ err: error, userId, upcomingId }, 'failed to prepare a brief')
    }
  }
}

async function enqueueBrief(
  { db, collectBrief }: EnqueueParts,
  { userId, role, upcomingId, key, startsAt }: DuePersonBrief,
  now: Date,
): Promise<void> {
  const viewer = toViewer(userId, role)
  const isAllowed = await mayBeBriefed(db, viewer, upcomingId)
  const brief = isAllowed ? await collectBrief(viewer, upcomingId) : null
  await db.transaction().execute(async (tx) => {
    // The person may know of the same meeting from another calendar.
    const claim = { reader: `user:${userId}`, key: isAllowed ? key : upcomingId, startsAt }
    if (!(await insertClaim(tx, claim)) || brief === null || isEmptyBrief(brief)) return
    const uniqueKey = `brief:${userId}:${key}:${startsAt.toISOString()}`
    await enqueueMail(tx, [{ kind: 'brief', uniqueKey, to: { userId }, upcomingId }], now)
  })
}

type ComposerParts = {
  publicUrl: string
  secretBox: SecretBox
  clock: Clock
  timeZone: string
  collectBrief: BriefCollector
}

/** Makes a brief, if its recipient still wants it, may still know of the meeting, and the meeting has not started. */
export function createBriefComposer(parts: ComposerParts): MailComposer {
  const { publicUrl, secretBox, clock, collectBrief } = parts
  return async (db, { userId, upcomingId }) => {
    const user = userId === null ? null : await findUserContact(db, userId)
    if (user === null || userId === null || upcomingId === null) return 'content_gone'
    const choice = await readMailChoice(db, userId)
    if (choice.brief_minutes === null) return 'turned_off'
    const viewer = toViewer(userId, user.role)
    const brief = await collectBrief(viewer, upcomingId)
    if (brief === null || !brief.upcoming.isPlanned) return 'content_gone'
    if (!(await mayBeBriefed(db, viewer, upcomingId))) return 'no_access'
    if (isEmptyBrief(brief)) return 'content_gone'
    if (brief.upcoming.startsAt <= clock.now()) return 'too_late'
    const token = createUnsubscribeToken(secretBox, { whom: userId, what: 'briefs' })
    const unsubscribeUrl = `${publicUrl}/unsubscribe/${token}`
    return {
      to: { name: user.name, address: user.email },
      unsubscribeUrl,
      ...renderBriefMail(brief, {
        publicUrl,
        unsubscribeUrl,
        timeZone: choice.time_zone ?? parts.timeZone,
      }),
    }
  }
}

type BriefMailLinks = { publicUrl: string; unsubscribeUrl: string; timeZone: string }

/** The subject and both forms of the mail. */
export function renderBriefMail(
  brief: Brief,
  { publicUrl, unsubscribeUrl, timeZone }: BriefMailLinks,
): { subject: string; html: string; text: string } {
  const { title, startsAt, people } = brief.upcoming
  const shownTitle = toPlainLine(removeDirectionMarks(title), MAX_TITLE_CHARS)
  const start = startsAt.toLocaleString('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  const invited = people.map(({ name, address }) => name ?? address).join(', ')
  const rendered = renderMail({
    title: shownTitle,
    blocks: [
      { kind: 'paragraph', text: `${start} (${timeZone})`, isDim: true },
      ...(invited === ''
        ? []
        : [{ kind: 'paragraph', text: `Invited: ${invited}`, isDim: true } as const]),
      ...listBriefSections(brief).flatMap(({ heading, items }): MailBlock[] => [
        { kind: 'heading', text: heading },
        {
          kind: 'list',
          language: null,
          items: items.map(({ text, notes, link }) => ({
            text,
            notes,
            links: [{ label: link.label, url: `${publicUrl}${link.path}` }],
          })),
        },
      ]),
      { kind: 'button', link: { label: 'Open upcoming meetings', url: `${publicUrl}/upcoming` } },
    ],
    footer: {
      text: 'You get this brief because you chose briefs before your meetings.',
      links: [
        { label: 'Change when you get briefs', url: `${publicUrl}/account?tab=notifications` },
        { label: 'Get no briefs by mail', url: unsubscribeUrl },
      ],
    },
  })
  return { subject: `Brief: ${shownTitle}`, ...rendered }
}

function toViewer(userId: string, role: UserViewer['role']): UserViewer {
  return { kind: 'user', userId, role, projects: null }
}
