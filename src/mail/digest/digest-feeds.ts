import { sql } from 'kysely'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Role } from '../../accounts/roles.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { randomBase62, sha256 } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { changeDigestChoice, readDigestChoice, toFeedSchedule } from './digest-choice.ts'
import { listDigestPeriods } from './digest-schedule.ts'
import { readPersonDigest, type PersonDigest, formatPeriod, linkOfItem } from './person-digest.ts'
import { markup, NO_HTML, type SafeHtml } from '../../lib/text/safe-html.ts'
import { formatDay } from '../../lib/time/day-text.ts'
import type { DigestSection } from '../../recap/digest/digest-sections.ts'

/** The owner of a feed whose secret somebody knows. */
export type FoundFeed = { userId: string; role: Role; secretHash: Buffer; changedAt: Date }

/** A feed as it is sent. */
export type ReadFeed = { xml: string; etag: string; changedAt: Date }

/** 256 random bits. */
const SECRET_LENGTH = 43

const SECRET = /^[0-9A-Za-z]{43}$/

/** Each entry needs several queries. Feed readers keep older ones. */
const MAX_ENTRIES = { daily: 7, weekly: 4 } as const

type FeedLinks = { userId: string; publicUrl: string; selfUrl: string }

/** What XML 1.0 does not allow even as a reference. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The digests of each person as an Atom feed. The secret in its address is the only credential. */
export function createDigestFeeds({
  db,
  clock,
  baseUrl,
}: {
  db: Db
  clock: Clock
  baseUrl(): string
}) {
  return {
    /** When the feed of a person got its address. Null if they have none. */
    async findCreationTime(userId: string): Promise<Date | null> {
      const row = await db
        .selectFrom('digest_feed')
        .select('created_at as createdAt')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.createdAt ?? null
    },

    /** Gives the feed a new address and returns its secret, which is stored only as a hash. The old address ends. */
    async create(userId: string, timeZone: string, actor: Actor): Promise<string> {
      const now = clock.now()
      // Without a choice, digests are due in the time zone of the browser in which the feed was created.
      if ((await readDigestChoice(db, userId)).timeZone === null)
        await changeDigestChoice(db, userId, { timeZone }, { actor, now })
      const secret = randomBase62(SECRET_LENGTH)
      await db.transaction().execute(async (tx) => {
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto('digest_feed')
          .columns(['user_id', 'secret_hash', 'created_at', 'changed_at'])
          .expression((eb) =>
            eb
              .selectFrom('app_user')
              .select(['id', eb.val(sha256(secret)).as('secret_hash')])
              .select([eb.val(now).as('created_at'), eb.val(toSeconds(now)).as('changed_at')])
              .where('id', '=', userId)
              .forKeyShare(),
          )
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet({
              secret_hash: (eb) => eb.ref('excluded.secret_hash'),
              created_at: (eb) => eb.ref('excluded.created_at'),
            }),
          )
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 0n) throw new ServiceError('user_not_found')
        await appendAudit(tx, now, actor, 'digest feed created', userId)
      })
      return secret
    },

    /** Ends the address, if there is one. */
    async remove(userId: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('digest_feed')
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (numDeletedRows > 0n)
          await appendAudit(tx, clock.now(), actor, 'digest feed removed', userId)
      })
    },

    /** Null if no feed has this secret. */
    async find(secret: string): Promise<FoundFeed | null> {
      if (!SECRET.test(secret)) return null
      const row = await db
        .selectFrom('digest_feed')
        .innerJoin('app_user', 'app_user.id', 'digest_feed.user_id')
        .select(['user_id as userId', 'role', 'secret_hash as secretHash'])
        .select('changed_at as changedAt')
        .where('secret_hash', '=', sha256(secret))
        .where('app_user.deactivated_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    /** Makes the feed from what its person may read now. */
    async read(found: FoundFeed, secret: string): Promise<ReadFeed> {
      const digests = await readDigests(db, found, clock.now())
      const url = baseUrl()
      const render = renderAtomFeed(digests, {
        userId: found.userId,
        publicUrl: url,
        selfUrl: `${url}/feeds/digest/${secret}`,
      })
      const hash = sha256(render.content)
      const changedAt = await storeContentHash(db, found, hash, clock.now())
      return { xml: render.toXml(changedAt), etag: `"${hash.toString('base64url')}"`, changedAt }
    },
  }
}

export type DigestFeeds = ReturnType<typeof createDigestFeeds>

async function readDigests(
  db: Db,
  { userId, role }: FoundFeed,
  now: Date,
): Promise<PersonDigest[]> {
  const schedule = toFeedSchedule(await readDigestChoice(db, userId))
  const digests: PersonDigest[] = []
  for (const period of listDigestPeriods(schedule, now, MAX_ENTRIES[schedule.frequency])) {
    const digest = await readPersonDigest(db, { id: userId, role }, schedule, period)
    if (digest !== null) digests.push(digest)
  }
  return digests
}

/**
 * When the content changed last, even if it only became shorter. Whole seconds, as in Last-Modified, and later than at
 * the change before.
 */
async function storeContentHash(
  db: Db,
  { secretHash, changedAt }: FoundFeed,
  contentHash: Buffer,
  now: Date,
): Promise<Date> {
  const row = await db
    .updateTable('digest_feed')
    .set({
      content_hash: contentHash,
      changed_at: sql<Date>`greatest(${toSeconds(now)}, changed_at + interval '1 second')`,
    })
    .where('secret_hash', '=', secretHash)
    .where('content_hash', 'is distinct from', contentHash)
    .returning('changed_at as changedAt')
    .executeTakeFirst()
  return row?.changedAt ?? changedAt
}

function toSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}

/** Digests as an Atom feed (RFC 4287), newest first. `content` is all of it except the time of the last change. */
function renderAtomFeed(
  digests: readonly PersonDigest[],
  { userId, publicUrl, selfUrl }: FeedLinks,
): { content: string; toXml(changedAt: Date): string } {
  const entries = digests.map((digest) => renderEntry(digest, userId, publicUrl))
  const head = markup`<title>Digest · Hansard</title>
<id>${formatUuid(`digest feed ${userId}`)}</id>
<author><name>Hansard</name></author>
<link rel="self" type="application/atom+xml" href="${selfUrl}"/>
<link rel="alternate" type="text/html" href="${publicUrl}/"/>`
  const toXml = (updated: SafeHtml) =>
    String(markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
${head}
${updated}
${entries}</feed>
`).replaceAll(NOT_XML, '')
  return {
    content: toXml(NO_HTML),
    toXml: (changedAt) => toXml(markup`<updated>${changedAt.toISOString()}</updated>`),
  }
}

function renderEntry(digest: PersonDigest, userId: string, publicUrl: string): SafeHtml {
  const { schedule, period, counts, sections } = digest
  const html = markup`<p>${formatPeriod(digest)}</p>
${sections.map((section) => renderSection(section, publicUrl))}`
  const title = `${formatDay(period.day)}: ${counts}`
  const updated = period.to.toISOString()
  // The same digest keeps its id, whatever is corrected in it later.
  const id = formatUuid(`${schedule.frequency} digest ${userId} ${period.day}`)
  return markup`<entry>
<title type="text">${title}</title>
<id>${id}</id>
<published>${updated}</published>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${publicUrl}/"/>
<content type="html">${String(html)}</content>
</entry>
`
}

function renderSection({ heading, items, others }: DigestSection, publicUrl: string): SafeHtml {
  const shown = items.map((item) => {
    const link = markup`<a href="${linkOfItem(item, publicUrl)}">${item.meetingTitle ?? item.text}</a>`
    const notes = item.notes.map((note) => markup` · ${note}`)
    return item.meetingTitle === null
      ? markup`<li>${link}${notes}</li>
`
      : markup`<li>${item.text}${notes} · ${link}</li>
`
  })
  const rest = others > 0 ? markup`<p>${others} more in Hansard.</p>` : NO_HTML
  return markup`<h2>${heading}</h2>
<ul>
${shown}</ul>
${rest}`
}

/** A UUID of version 8, which always is the same for the same text. It outlives a change of the public URL. */
function formatUuid(text: string): string {
  const bytes = sha256(text).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `urn:uuid:${groups.join('-')}-${hex.slice(20)}`
}
