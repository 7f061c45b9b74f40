import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import type {
  ChatAccess,
  JoinRequest,
  Platform,
  PlatformEvent,
} from '../../src/bots/platforms/platform.ts'
import {
  completeChatNotice,
  formatChatNotice,
  RESUMED_REPLY,
} from '../../src/meetings/chat/notice-and-commands.ts'
import { readChatPage } from '../../src/meetings/chat/stored-chat.ts'
import type { ChatOptions } from '../../src/meetings/meeting.ts'
import { readGaps } from '../../src/meetings/record/gaps.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { eventually } from '../support/time/eventually.ts'
import { openAttendance } from './open-attendance.ts'

const DEFAULT_NOTICE =
  formatChatNotice(undefined, { botName: 'Hansard notes', hasCommands: true }) ?? ''
/** The notice of a meeting in which the bot listens. */
const NOTICE = completeChatNotice(DEFAULT_NOTICE, { platform: 'practice', speech: 'always' })
const CHAT: ChatOptions = { notice: DEFAULT_NOTICE, commands: true, store: true }
const ALL = { after: 0, limit: 20_000 }
const OVER: PlatformEvent = { kind: 'over', because: 'host_ended' }
const after = (seconds: number) => new Date(SEED_TIME.getTime() + seconds * 1000)

let messages = 0
const chat = (author: string, text: string, messageId = `m${++messages}`): PlatformEvent => ({
  kind: 'chat',
  messages: [{ messageId, author, text }],
})
const caption = (captionId: string, text: string): PlatformEvent => ({
  kind: 'caption',
  captionId,
  speaker: 'Ana',
  text,
})

/** A meeting with these chat options. Its bot posts into `posted`. */
async function openChatAttendance(options: ChatOptions = CHAT) {
  const attendance = await openAttendance('joining')
  const { db, meetingId, platform } = attendance
  const changed = JSON.stringify({ chat: options, speech: 'always' })
  await sql`update meeting set options = options || ${changed}::jsonb
    where id = ${meetingId}`.execute(db)
  const accesses: Array<ChatAccess | undefined> = []
  const recording: Platform = {
    ...platform,
    attend(joinRequest: JoinRequest, signal) {
      accesses.push(joinRequest.chat)
      return platform.attend(joinRequest, signal)
    },
  }
  return {
    ...attendance,
    room: platform.room('one'),
    startBot: (fence: number) => attendance.bot(fence, recording),
    access: () => accesses.at(-1),
    /** The messages that the bot wants to post, in order. */
    takePosts() {
      const outbox = accesses.at(-1)?.outbox
      const posts: string[] = []
      for (let text = outbox?.first(); text !== undefined; text = outbox?.first()) {
        posts.push(text)
        outbox?.removeFirst()
      }
      return posts
    },
    async texts() {
      const rows = await db.selectFrom('segment').select('text').orderBy('number').execute()
      return rows.map(({ text }) => text)
    },
    /** Waits until the last gap is a pause that lasts, or one that has ended. */
    waitForPause: (lasts: boolean) =>
      eventually(async () => {
        const gap = (await readGaps(db, meetingId)).at(-1)
        return gap?.cause === 'paused' && (gap.endedAt === null) === lasts ? true : null
      }),
    gaps: () => readGaps(db, meetingId),
  }
}

test('a participant makes the bot leave, and the end names who asked', async () => {
  await using attendance = await openChatAttendance()
  const bot = await attendance.startBot(1)
  attendance.room.emit({ kind: 'admitted' }, caption('c1', 'Before the request.'))
  attendance.room.emit(chat('Ana Ribeiro (Guest)', '@Hansard, STOP!'))
  attendance.room.emit(caption('c2', 'After the request.'))
  await bot.done
  const { status, reason, detail } = await attendance.meeting()
  assert.deepEqual(
    { status, reason, detail },
    {
      status: 'ended',
      reason: 'asked_to_leave',
      detail: 'Ana Ribeiro asked the bot to leave in the meeting chat',
    },
  )
  assert.deepEqual(await attendance.texts(), ['Before the request.'])
  assert.deepEqual(attendance.takePosts(), [NOTICE])
})

test('what is said during a pause is neither stored nor sent, also when a row continues after it', async () => {
  await using attendance = await openChatAttendance()
  const { room, clock, db } = attendance
  const bot = await attendance.startBot(1)
  room.emit({ kind: 'admitted' }, caption('c1', 'It is public.'))
  room.emit(chat('Ben', 'hansard pause'), chat('Ben', 'A secret link'))
  await attendance.waitForPause(true)
  room.emit(caption('c1', 'It is public. It is secret.'), { kind: 'captions lost', detail: 'gone' })
  room.emit({ kind: 'captions back' })
  clock.advance(30)
  room.emit(chat('Ben', 'hansard resume'))
  await attendance.waitForPause(false)
  clock.advance(5)
  room.emit(caption('c1', 'It is public. It is secret. It is public again.'), OVER)
  await bot.done
  assert.deepEqual(await attendance.texts(), ['It is public.', 'It is public again.'])
  const [gap, ...others] = await attendance.gaps()
  assert.deepEqual(others, [])
  assert.deepEqual(gap && [gap.cause, gap.startedAt, gap.endedAt], ['paused', SEED_TIME, after(30)])
  const events = await db.selectFrom('event').select('body').execute()
  assert.ok(events.every(({ body }) => !body.includes('secret')))
  const stored = await readChatPage(db, attendance.meetingId, ALL)
  assert.deepEqual(
    stored.messages.map(({ author, text }) => `${author}: ${text}`),
    ['Ben: hansard pause'],
  )
  assert.equal(attendance.takePosts().length, 3)
  assert.match(
    readFileSync(attendance.path, 'utf8'),
    /\n\*30 s not recorded: paused by a participant\*\n[^#]*\n## Chat\n\n- \*\*Ben\*\* 00:00:00 hansard pause\n$/,
  )
})

test('words from a pause that arrive after it are neither stored nor sent', async () => {
  await using attendance = await openChatAttendance()
  const { room, clock, db } = attendance
  const bot = await attendance.startBot(1)
  room.emit({ kind: 'admitted' }, caption('c1', 'It is public.'), chat('Ben', 'hansard pause'))
  await attendance.waitForPause(true)
  clock.advance(30)
  room.emit(chat('Ben', 'hansard resume'))
  await eventually(() => (attendance.takePosts().includes(RESUMED_REPLY) ? true : null))
  clock.advance(1)
  const late = (one: PlatformEvent, startedMs: number, changedMs: number) =>
    ({ ...one, late: { startedMs, changedMs } }) as PlatformEvent
  room.emit(late(caption('c2', 'It is secret.'), 2_000, 100))
  room.emit(caption('c2', 'It is secret. It is public again.'))
  room.emit(late(caption('c3', 'So is this.'), 900, 0), OVER)
  await bot.done
  assert.deepEqual(await attendance.texts(), [
    'It is public.',
    'So is this.',
    'It is public again.',
  ])
  const events = await db.selectFrom('event').select('body').execute()
  assert.ok(events.every(({ body }) => !body.includes('secret')))
})

test('a bot that continues a paused meeting stays paused and posts no second notice', async () => {
  await using attendance = await openChatAttendance()
  const { room, clock } = attendance
  const first = await attendance.startBot(1)
  room.emit({ kind: 'admitted' }, caption('c1', 'Before.'), chat('Ben', 'hansard pause'))
  await attendance.waitForPause(true)
  first.release.abort()
  await first.done
  assert.equal(attendance.takePosts()[0], NOTICE)
  clock.advance(10)
  const second = await attendance.startBot(2)
  room.emit({ kind: 'admitted' }, { kind: 'captions back' }, caption('c2', 'Still secret.'))
  room.emit(chat('Ben', 'hansard resume'), caption('c3', 'Public.'), OVER)
  await second.done
  assert.deepEqual(await attendance.texts(), ['Before.', 'Public.'])
  const gaps = await attendance.gaps()
  assert.deepEqual(
    gaps.map(({ cause }) => cause),
    ['paused'],
  )
  assert.deepEqual(attendance.takePosts(), ['I am taking notes again.'])
})

test('commands and storing can be off, and a meeting without chat options leaves the chat alone', async () => {
  await using attendance = await openChatAttendance({ notice: null, commands: false, store: false })
  const bot = await attendance.startBot(1)
  attendance.room.emit({ kind: 'admitted' }, chat('Ana', 'hansard leave'), OVER)
  await bot.done
  assert.equal((await attendance.meeting()).reason, 'host_ended')
  assert.deepEqual(attendance.takePosts(), [])
  assert.equal(attendance.access()?.isRead, false)
  assert.equal((await readChatPage(attendance.db, attendance.meetingId, ALL)).total, 0)
  await using plain = await openAttendance('joining')
  const without = await plain.bot(1)
  plain.platform.room('one').emit({ kind: 'admitted' }, chat('Ana', 'hansard leave'), OVER)
  await without.done
  assert.equal((await plain.meeting()).reason, 'host_ended')
})

test('a hostile chat is stored as plain text, once, and up to a limit', async () => {
  await using attendance = await openChatAttendance()
  const { room, db, meetingId, clock } = attendance
  const bot = await attendance.startBot(1)
  const hostile = '<script>alert(1)</script> **x** [a](javascript:1)\u202e\u0000 \n# Heading'
  room.emit({ kind: 'admitted' }, chat(' <b>Eve</b> (Guest)', hostile, 'id'))
  room.emit(chat('Eve', hostile, 'id'), chat('Hansard notes', NOTICE))
  for (let batch = 0; batch < 11; batch += 1) {
    const flood = Array.from({ length: 1_000 }, (_, i) => ({
      messageId: `flood-${batch}-${i}`,
      author: 'Eve',
      text: `${'x'.repeat(batch)} ${i}`,
    }))
    room.emit({ kind: 'chat', messages: flood })
    const expected = Math.min(10_000, 2 + 1_000 * (batch + 1))
    await eventually(async () => {
      // Messages are stored with the next event that comes at least a second after they arrive.
      clock.advance(2)
      room.emit(caption(`c${batch}`, `Sentence ${batch}.`))
      return (await readChatPage(db, meetingId, ALL)).total >= expected ? true : null
    })
  }
  for (let i = 0; i < 300; i += 1)
    room.emit(chat('Eve', i % 2 === 0 ? 'hansard pause' : 'hansard resume'))
  room.emit(OVER)
  await bot.done
  const page = await readChatPage(db, meetingId, { after: 0, limit: 2 })
  assert.equal(page.total, 10_000)
  assert.deepEqual(
    page.messages.map(({ author, text }) => ({ author, text })),
    [
      {
        author: '<b>Eve</b>',
        text: '<script>alert(1)</script> **x** [a](javascript:1) # Heading',
      },
      { author: 'Hansard notes', text: NOTICE },
    ],
  )
  assert.ok((await attendance.gaps()).length <= 101)
  const document = readFileSync(attendance.path, 'utf8')
  const [, firstLine = ''] = /^## Chat\n\n(.*)$/m.exec(document) ?? []
  assert.match(firstLine, /^- \*\*\\<b>Eve\\<\/b>\*\* 00:\d\d:\d\d \\<script>/)
  assert.equal(document.match(/^## /gm)?.length, 1)
})
