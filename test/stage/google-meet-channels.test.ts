import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { decode, encode, numberAt, textAt, valueAt } from '../../stage/wire/protobuf.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinMeet,
  admitGuests,
  newMeetUrl,
  openSharedStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openSharedStageBrowser()
})

async function listen(knobs: KnobSettings = {}) {
  const address = newMeetUrl()
  const meeting = stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } })
  const visitor = await stageBrowser.openPage(address, ['channels.js'])
  await askToJoinMeet(visitor.page)
  await admitGuests(meeting)
  return { ...visitor, meeting }
}

async function captionsOn({ page, meeting }: Awaited<ReturnType<typeof listen>>): Promise<void> {
  await page.getByLabel('Turn on captions').click()
  const guest = await meeting.waitFor('captions on')
  const labels = () => [...guest.channels.values()]
  const isOpen = (wire: string) => labels().includes(wire)
  await eventually(() => (meeting.knobs.wires.every(isOpen) ? true : null))
}

async function messagesOn(page: Page, label: string): Promise<Buffer[]> {
  const all = await page.evaluate<Array<{ label: string; base64: string }>>('channelMessages')
  return all
    .filter((message) => message.label === label)
    .map(({ base64 }) => Buffer.from(base64, 'base64'))
}

function withoutRepeats(messages: readonly Buffer[]): Buffer[] {
  return [...new Set(messages.map((message) => message.toString('hex')))].map((message) =>
    Buffer.from(message, 'hex'),
  )
}

/** Waits for the message that contains a text. Returns all messages up to that one. */
async function messagesUntil(page: Page, label: string, text: string): Promise<Buffer[]> {
  return eventually(async () => {
    const messages = await messagesOn(page, label)
    return messages.some((message) => message.includes(text)) ? messages : null
  })
}

test('an extra captions channel works with captions off and repeats unacknowledged messages', async () => {
  await using visitor = await listen({ v2Wrappers: 2, repeatAfterMs: 20 })
  const { page, meeting } = visitor
  await page.evaluate(
    `client.createDataChannel('captions_v2', { ordered: true, maxRetransmits: 10, id: 50001 }), 0`,
  )
  const guest = await meeting.waitFor('entered')
  await eventually(() => ([...guest.channels.values()].includes('captions_v2') ? true : null))
  meeting.caption({ captionId: 'c1', speaker: 'ben', text: 'Fine.', isFinal: true })
  const messages = await eventually(async () => {
    const all = await messagesOn(page, 'captions_v2')
    return all.length >= 3 ? all : null
  })
  assert.equal(new Set(messages.map((message) => message.toString('hex'))).size, 1)
  assert.equal(textAt(messages[0] ?? Buffer.of(), 1, 1, 3, 3), 'Fine.')
})

/** The name and status of every user in a `collections` message. */
function usersIn(message: Buffer): Array<[string | undefined, number | undefined]> {
  const list = valueAt(gunzipSync(message), 1, 2, 13, 1)
  const users = list instanceof Uint8Array ? (decode(list)?.get(2) ?? []) : []
  return users.flatMap((user) =>
    user instanceof Uint8Array ? [[textAt(user, 2), numberAt(user, 4)]] : [],
  )
}

test('the Google Meet wire has the roster over HTTP and on the channel of the servers, both caption channels, their language and the end', async () => {
  await using visitor = await listen({ suspicion: 2 })
  const { page, meeting } = visitor
  const answers = await page.evaluate<Array<{ url: string; text: string }>>('callAnswers')
  const answerOf = (name: string) =>
    Buffer.from(answers.find(({ url }) => url.endsWith(`/${name}`))?.text ?? '', 'base64')
  assert.ok(answers.every(({ url }) => url.startsWith('https://meet.google.com/$rpc/google.rtc.')))
  assert.equal(numberAt(answerOf('CreateMeetingDevice'), 36), 2)
  assert.match(textAt(answerOf('GetMediaSession'), 1) ?? '', /^mediasessions\/.{28}$/)
  const roster = answerOf('SyncMeetingSpaceCollections')
  const list = valueAt(roster, 2, 2) as Uint8Array
  assert.equal(decode(list)?.get(2)?.length, 3)

  meeting.join('chloe')
  meeting.leave('ben')
  meeting.chat('ana', 'hello')
  const changes = await eventually(async () => {
    const all = await messagesOn(page, 'collections')
    return all.some((message) => gunzipSync(message).includes('hello')) ? all : null
  })
  assert.deepEqual(changes.map(usersIn).slice(0, 5), [
    [['Ana Ribeiro', 1]],
    [['Ben Carter', 1]],
    [['Notes Bot', 1]],
    [['Chloé Martin', 1]],
    [['Ben Carter', 6]],
  ])

  await captionsOn(visitor)
  await meeting.say('ana', 'hello every', 'Hello, everybody.')
  await meeting.say('ana', 'Well.')
  const older = await messagesUntil(page, 'captions', 'Well.')
  assert.deepEqual(
    older.map((message) => [2, 3, 4].map((field) => numberAt(message, 1, field))),
    [
      [1, 1, undefined],
      [1, 2, undefined],
      [1, 3, 1],
      [2, 1, 1],
    ],
  )
  assert.deepEqual(
    older.map((message) => textAt(message, 1, 6)),
    ['hello', 'hello every', 'Hello, everybody.', 'Well.'],
  )
  assert.equal(textAt(older[0] ?? Buffer.of(), 1, 1), 'spaces/stage/devices/1')
  // On a slow machine, a late acknowledgement makes a message arrive twice.
  const newer = withoutRepeats(await messagesUntil(page, 'captions_v2', 'Well.'))
  assert.deepEqual(
    newer.map((message) => [
      numberAt(message, 1, 1),
      numberAt(message, 1, 2),
      textAt(message, 1, 3, 3),
    ]),
    [
      [1, 1, 'hello'],
      [1, 2, 'hello every'],
      [1, 3, 'Hello, everybody.'],
      [2, 1, 'Well.'],
    ],
  )
  assert.equal(numberAt(newer[2] ?? Buffer.of(), 1, 3, 9), 1)

  const guest = await meeting.waitFor('entered')
  const language = [
    9,
    [
      [1, 'de-DE'],
      [2, 'de-DE'],
    ],
  ] as const
  const wish = encode([
    [
      1,
      [
        [
          2,
          [
            [1, 1],
            [3, [[1, [language]]]],
          ],
        ],
      ],
    ],
  ])
  await page.evaluate(
    `{
      const bytes = Uint8Array.from(${JSON.stringify([...wish])})
      const channel = client.createDataChannel('media-session')
      channel.addEventListener('open', () => channel.send(bytes))
    }`,
  )
  assert.equal(await eventually(() => guest.language), 'de-DE')
  meeting.caption({ captionId: 'c1', speaker: 'ben', text: 'Gut.', isFinal: true })
  const message = (await messagesUntil(page, 'captions', 'Gut.')).at(-1)
  assert.equal(numberAt(message ?? Buffer.of(), 1, 8), 6)

  visitor.meeting.remove()
  await visitor.page.getByText("You've been removed from the meeting").waitFor()
  const last = await eventually(async () => {
    const users = (await messagesOn(visitor.page, 'collections')).map(usersIn).at(-1)
    return users?.[0]?.[1] === 7 ? users : null
  })
  assert.deepEqual(last, [['Notes Bot', 7]])
})
