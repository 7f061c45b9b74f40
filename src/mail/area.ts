import type { AreaContext } from '../db/context.ts'
import { sql } from 'kysely'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { BriefCollector } from '../brief/collect-brief.ts'
import type { Db } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { ServiceError } from '../errors.ts'
import { newId, type SecretBox } from '../lib/crypto.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { Tracer } from '../lib/tracer.ts'
import { createBriefComposer, enqueueDueBriefs } from './brief/brief-mail.ts'
import { changeDigestChoice, toDigestChoice, type DigestChoice } from './digest/digest-choice.ts'
import { createDigestFeeds } from './digest/digest-feeds.ts'
import { createDigestComposer } from './digest/digest-mail.ts'
import { enqueueDueDigests } from './digest/due-digests.ts'
import { changeMailChoice, readMailChoice } from './mail-choices.ts'
import { startMailRunner } from './mail-runner.ts'
import type { MailState } from './mail.ts'
import { createMailMetrics } from './metrics.ts'
import { retryMail } from './outbox/retry-mail.ts'
import { createInvitationComposer, createResetComposer } from './messages/account-mails.ts'
import { createTestMailComposer } from './messages/test-mail.ts'
import { createLinkMailer } from './outbox/enqueue-links.ts'
import { enqueueMail } from './outbox/enqueue.ts'
import type { RecapMailChoice } from './recap-mail/choice-names.ts'
import { createGuestRecapComposer } from './recap-mail/guest-mail.ts'
import { addOptOut } from './recap-mail/guest-opt-outs.ts'
import { createRecapComposer, type RecapMailSource } from './recap-mail/recap-composer.ts'
import { countMail, listMail } from './outbox/list-mail.ts'
import { createMailSender, type SmtpSettings } from './smtp.ts'
import { readUnsubscribeToken, type Unsubscription } from './unsubscribe.ts'

/** What administrators see about mail. */
export type MailStatus = {
  isOn: boolean
  /** Host and port of the mail server. Null without one, like the next two. */
  server: string | null
  tls: SmtpSettings['tls'] | null
  from: string | null
  counts: Record<MailState, number>
}

/** Which mail a person wants. */
export type MailChoice = {
  recaps: RecapMailChoice
  digest: DigestChoice
  /** How many minutes before their meetings a person wants a brief. Null for none. */
  briefMinutes: number | null
}
export type MailChoiceChange = {
  recaps?: RecapMailChoice | undefined
  digest?: DigestChoice | undefined
  briefMinutes?: number | null | undefined
}

type Parts = RecapMailSource &
  AreaContext & {
    tracer: Tracer
    membership: NodeMembership
    secretBox: SecretBox
    /** The URL where people open the service. */
    baseUrl(): string
    collectBrief: BriefCollector
    /** The time zone of people who have chosen none. */
    timeZone: string
    /** Null if the settings name no mail server. */
    settings: (SmtpSettings & { publicUrl: string }) | null
  }

/** Test mails that an administrator can ask for in an hour. */
export const MAX_TESTS_PER_HOUR = 5

/** Opens the mail area. A node with the role `tasks` sends mail. */
export function openMailArea(parts: Parts) {
  const { db, clock, membership, secretBox, settings } = parts
  const runner =
    settings === null || !membership.hasRole('tasks') ? null : startRunner(parts, settings)
  const wake = () => {
    if (runner === null) membership.broadcast('mail_waiting', {})
    else runner.wake()
  }
  if (runner !== null) membership.onMessage('mail_waiting', runner.wake)
  return {
    /** False if the settings name no mail server. Then nothing is stored or sent. */
    isOn: settings !== null,
    /** Mails the links of invitations and password resets. Undefined if the settings name no mail server. */
    linkMailer: settings === null ? undefined : createLinkMailer(parts),

    status: async () => ({
      isOn: settings !== null,
      server: settings && formatServer(settings),
      tls: settings && settings.tls,
      from: settings && settings.from.address,
      counts: await countMail(db),
    }),

    /** Newest first. */
    list: (filter: { state?: MailState | undefined }, limit: number, cursor: string | undefined) =>
      listMail(db, filter, limit, cursor, clock.now()),

    /** Sends a mail again that failed or waits. Throws `mail_not_found` and `mail_not_retryable`. */
    async retry(id: string, actor: Actor): Promise<void> {
      if (settings === null) throw new ServiceError('mail_off')
      await retryMail(db, id, actor, clock.now())
      wake()
    },

    metrics: createMailMetrics(db),

    /** Which mail a user wants. */
    async readChoice(userId: string): Promise<MailChoice> {
      const row = await readMailChoice(db, userId)
      const { recaps, brief_minutes: briefMinutes } = row
      return { recaps, digest: toDigestChoice(row), briefMinutes }
    },

    /** Absent fields stay unchanged. */
    async changeChoice(
      userId: string,
      { recaps, digest, briefMinutes }: MailChoiceChange,
      actor: Actor,
    ) {
      const by = { actor, now: clock.now() }
      const isDone =
        (recaps === undefined || (await changeRecaps(db, userId, recaps, by))) &&
        (digest === undefined || (await changeDigestChoice(db, userId, digest, by))) &&
        (briefMinutes === undefined || (await changeBriefs(db, userId, briefMinutes, by)))
      if (!isDone) throw new ServiceError('user_not_found')
    },

    /** Digests as feeds. They need no mail server. */
    feeds: createDigestFeeds(parts),

    /** What an unsubscribe link turns off. Null if this instance has not made its token. */
    readUnsubscribeToken: (token: string) => readUnsubscribeToken(secretBox, token)?.what ?? null,

    /** Turns it off for the user or guest of the token, and returns what. Null if the token or its user is not known. */
    async unsubscribe(token: string, ip: string): Promise<Unsubscription['what'] | null> {
      const found = readUnsubscribeToken(secretBox, token)
      if (found === null) return null
      const { whom, what } = found
      const by = { actor: { name: 'nobody', ip }, now: clock.now() }
      const turnOff: Record<typeof what, () => Promise<boolean>> = {
        recaps: () => changeRecaps(db, whom, 'none', by),
        digest: () => changeDigestChoice(db, whom, { frequency: 'none' }, by),
        guest: () => addOptOut(db, whom, by),
        briefs: () => changeBriefs(db, whom, null, by),
      }
      return (await turnOff[what]()) ? what : null
    },

    /** Sends a test mail to a user who asked for it. Throws `mail_off`, and `too_many_requests` after several ones. */
    async sendTest(userId: string, actor: Actor): Promise<void> {
      if (settings === null) throw new ServiceError('mail_off')
      await enqueueTest(db, userId, actor, clock.now())
      wake()
    },

    [Symbol.asyncDispose]: async () => runner?.[Symbol.asyncDispose](),
  }
}

export type MailArea = ReturnType<typeof openMailArea>

function changeRecaps(
  db: Db,
  userId: string,
  recaps: RecapMailChoice,
  by: { actor: Actor; now: Date },
): Promise<boolean> {
  return changeMailChoice(db, userId, () => ({ recaps }), { ...by, detail: recaps })
}

function changeBriefs(
  db: Db,
  userId: string,
  minutes: number | null,
  by: { actor: Actor; now: Date },
): Promise<boolean> {
  const detail = minutes === null ? 'no briefs' : `briefs ${minutes} min before`
  return changeMailChoice(db, userId, () => ({ brief_minutes: minutes }), { ...by, detail })
}

function startRunner(parts: Parts, settings: SmtpSettings & { publicUrl: string }) {
  const { publicUrl } = settings
  return startMailRunner({
    ...parts,
    sender: createMailSender(settings),
    from: settings.from,
    async enqueueScheduled(now) {
      await enqueueDueBriefs(parts, now)
      await enqueueDueDigests(parts, now)
    },
    composers: {
      recap: createRecapComposer({ ...parts, publicUrl }),
      guest_recap: createGuestRecapComposer({ ...parts, publicUrl }),
      digest: createDigestComposer({ ...parts, publicUrl }),
      brief: createBriefComposer({ ...parts, publicUrl }),
      invitation: createInvitationComposer({ ...parts, publicUrl }),
      password_reset: createResetComposer({ ...parts, publicUrl }),
      test: createTestMailComposer(publicUrl),
    },
  })
}

function formatServer({ host, port }: SmtpSettings): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function enqueueTest(db: Db, userId: string, actor: Actor, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Two requests at once must not both be the last one.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`hansard test mail ${userId}`}, 0))`.execute(
      tx,
    )
    const recent = await tx
      .selectFrom('mail')
      .select('created_at as createdAt')
      .where('user_id', '=', userId)
      .where('kind', '=', 'test')
      .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
      .orderBy('created_at')
      .execute()
    const [oldest] = recent
    if (oldest !== undefined && recent.length >= MAX_TESTS_PER_HOUR)
      throw new ServiceError('too_many_requests', {
        text: `You can send yourself ${MAX_TESTS_PER_HOUR} test mails in an hour`,
        retryAfterSeconds: Math.ceil((oldest.createdAt.getTime() + HOUR_MS - now.getTime()) / 1000),
      })
    await enqueueMail(tx, [{ kind: 'test', uniqueKey: newId('test'), to: { userId } }], now)
    await appendAudit(tx, now, actor, 'test mail sent', userId)
  })
}
