import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readScript } from '../../src/bots/platforms/practice/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinTeams,
  admitGuests,
  openStageBrowser,
  newTeamsUrl,
  type StageBrowser,
} from './stage-browser.ts'
import { wordsBySpeaker, type CaptionLine } from './words-by-speaker.ts'

let house: StageBrowser
before(async () => {
  house = await openStageBrowser()
})
after(() => house[Symbol.asyncDispose]())

async function listen(knobs: KnobSettings = {}, readers: string[] = []) {
  const address = newTeamsUrl()
  const show = house.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } })
  const visitor = await house.openPage(address, readers)
  await askToJoinTeams(visitor.page)
  await admitGuests(show)
  return { ...visitor, show }
}

test('a whole script is read from Microsoft Teams by position and by row, word for word', async () => {
  const address = newTeamsUrl()
  const script = readScript('host-ends')
  const { show, finished } = house.stage.perform({
    address,
    script,
    knobs: {
      speed: 40,
      waitsForCaptions: true,
      view: 'host',
    },
  })
  await using visitor = await house.openPage(address, ['teams-utterances.js', 'teams-rows.js'])
  const { page } = visitor
  await askToJoinTeams(page)
  await show.until('captions on')
  await finished
  await page.getByText('The meeting has ended').waitFor()
  const expected = wordsBySpeaker(expectedTranscript(script))
  const { blocks } = await page.evaluate<{ blocks: CaptionLine[] }>('utterances')
  assert.deepEqual(wordsBySpeaker(blocks), expected)
  const rows =
    await page.evaluate<Array<CaptionLine & { isMarked: boolean; isPure: boolean }>>('tidRows()')
  assert.deepEqual(wordsBySpeaker(rows), expected)
  assert.ok(rows.every(({ isMarked, isPure }) => isMarked && isPure))
  assert.deepEqual(visitor.pageErrors, [])
})

test('every utterance of Microsoft Teams is a row of its own, without a mark in a guest’s page', async () => {
  await using visitor = await listen({}, ['teams-rows.js'])
  const { page, show } = visitor
  await page.locator('#callingButtons-showMoreBtn').click()
  await page.locator('#callingButtons-showMoreBtn[aria-expanded="true"]').waitFor()
  await page.locator('div#closed-captions-button').click()
  await show.until('captions on')
  await show.say('ana', "there's no", "There's no problem.")
  await show.say('ana', 'None at all.')
  await page.getByText('None at all.').waitFor()
  const rows = await page.evaluate<Array<{ words: string; isMarked: boolean }>>('tidRows()')
  assert.deepEqual(
    rows.map(({ words, isMarked }) => [words, isMarked]),
    [
      ["There's no problem.", false],
      ['None at all.', false],
    ],
  )
})

test('a host of Microsoft Teams finds captions one level deeper', async () => {
  await using visitor = await listen({ view: 'host' })
  const { page, show } = visitor
  await page.locator("button[data-tid='more-button']").click()
  assert.equal(await page.locator('#closed-captions-button').count(), 0)
  await page.locator('div#LanguageSpeechMenuControl-id').click()
  await page.locator('div#closed-captions-button').click()
  await show.until('captions on')
  await page.locator('[data-tid="closed-caption-renderer-wrapper"]').waitFor()
})

test('the calling library of Microsoft Teams turns captions on and sets their language, and can be out of reach', async () => {
  await using visitor = await listen()
  const { page, show } = visitor
  await page.evaluate(`callingDebug.observableCall.startClosedCaption()`)
  const guest = await show.until('captions on')
  await page.evaluate(
    `msteamscalling.deref().callingService.getActiveCall().setClosedCaptionsLanguage('de-de')`,
  )
  assert.equal(await eventually(() => guest.language), 'de-de')
  const names = await page.evaluate(
    'callingDebug.observableCall.participants.map(({ displayName }) => displayName)',
  )
  assert.deepEqual(names, ['Ana Ribeiro', 'Ben Carter', 'Notes Bot'])
  await using other = await listen({ hasInternals: false })
  assert.equal(await other.page.evaluate('typeof callingDebug'), 'undefined')
})

test('the earlier Microsoft Teams has its captions under other names', async () => {
  await using visitor = await listen({ generation: 'earlier' })
  const { page, show } = visitor
  await page.keyboard.press('Alt+Shift+C')
  await show.until('captions on')
  await show.say('ben', 'Fine.')
  const item = page.locator('[data-tid="closed-captions-renderer"] .ui-chat__item')
  await item.locator('.fui-StyledText:text-is("Fine.")').waitFor()
  assert.equal(await item.locator('.ui-chat__message__author').textContent(), 'Ben Carter')
  await page.locator('div#hangup-button button').waitFor()
})

test('Microsoft Teams keeps its newest rows only, and may use the oldest again', async () => {
  await using visitor = await listen({ keptRows: 2, recyclesRows: true })
  const { page, show } = visitor
  await page.keyboard.press('Alt+Shift+C')
  await show.until('captions on')
  await show.say('ana', 'One.')
  await page.getByText('One.').waitFor()
  await page.evaluate(`oldest = document.querySelector('.fui-ChatMessageCompact')`)
  await show.say('ben', 'Two.')
  await show.say('ana', 'Three.')
  await page.getByText('Three.').waitFor()
  assert.deepEqual(await page.locator('[data-tid="closed-caption-text"]').allTextContents(), [
    'Two.',
    'Three.',
  ])
  assert.equal(await page.evaluate('oldest.isConnected && oldest.textContent'), 'Ana RibeiroThree.')
})

test('a guest whose keyboard is not heard has no captions from it', async () => {
  await using visitor = await listen({ isShortcutDeaf: true })
  const { page } = visitor
  await page.keyboard.press('Alt+Shift+C')
  assert.equal(await page.locator('[data-tid*="closed-caption"]').count(), 0)
})

type Recognition = { text: string; isFinal: boolean; userId: string; timestampAudioSent: number }

test('captions of Microsoft Teams come on the main channel, keyed by who speaks until the last one', async () => {
  await using visitor = await listen({}, ['sockets.js'])
  const { page, show } = visitor
  await show.say('ana', "there's no", "There's no problem.")
  const messages = await eventually(async () => {
    const all =
      await page.evaluate<Array<{ recognitionResults?: Recognition[] } | unknown[]>>('mainMessages')
    return JSON.stringify(all).includes('problem') ? all : null
  })
  assert.deepEqual(messages[0], [{ type: 'dsh', history: [1_001] }])
  const results = messages.flatMap((message) =>
    'recognitionResults' in message ? (message.recognitionResults ?? []) : [],
  )
  assert.deepEqual(
    results.map(({ text, isFinal }) => [text, isFinal]),
    [
      ["there's", false],
      ["there's no", false],
      ["There's no problem.", true],
    ],
  )
  assert.equal(new Set(results.map(({ timestampAudioSent }) => timestampAudioSent)).size, 1)
  assert.match(results[0]?.userId ?? '', /^8:orgid:/)
})

type Frame = { url: string; headers: Record<string, string>; body: string }

test('the socket of Microsoft Teams tells who is there, who leaves and why it is over', async () => {
  await using visitor = await listen({}, ['sockets.js'])
  const { page, show } = visitor
  show.leave('ben')
  show.remove()
  const frames = await eventually(async () => {
    const all = await page.evaluate<string[]>('frames3')
    return all.some((frame) => frame.includes('conversationEnd')) ? all : null
  })
  assert.ok(frames.every((frame) => frame.startsWith('3:::')))
  const read = frames.map((frame) => JSON.parse(frame.slice(4)) as Frame)
  assert.ok(read.every(({ headers }) => headers['X-Microsoft-Skype-Chain-ID'] === show.callId))
  const [first, second, last] = read
  assert.ok(first && second && last)
  const rosterOf = ({ body }: Frame) => {
    const json = gunzipSync(Buffer.from(body, 'base64')).toString()
    const { participants } = JSON.parse(json) as {
      participants: Record<string, { details: { displayName?: string }; state: string }>
    }
    return Object.values(participants).map(({ details, state }) => [details.displayName, state])
  }
  assert.deepEqual(rosterOf(first), [
    [undefined, 'active'],
    ['Ana Ribeiro', 'active'],
    ['Ben Carter', 'active'],
    ['Notes Bot', 'active'],
  ])
  assert.deepEqual(rosterOf(second), [['Ben Carter', 'inactive']])
  assert.deepEqual(JSON.parse(last.body), {
    subCode: 5_000,
    sender: {
      id: show.participantsSeenBy(await show.until('entered'))[0]?.mri,
      displayName: 'Ana Ribeiro',
    },
  })
})
