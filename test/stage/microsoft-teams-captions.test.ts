import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readScript } from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinTeams,
  admitGuests,
  openSharedStageBrowser,
  newTeamsUrl,
  type StageBrowser,
} from './stage-browser.ts'
import { wordsBySpeaker, type CaptionLine } from './words-by-speaker.ts'

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openSharedStageBrowser()
})

async function listen(knobs: KnobSettings = {}, readers: string[] = []) {
  const address = newTeamsUrl()
  const meeting = stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } })
  const visitor = await stageBrowser.openPage(address, readers)
  await askToJoinTeams(visitor.page)
  await admitGuests(meeting)
  return { ...visitor, meeting }
}

test('readers by position and by row get every word of a script from Microsoft Teams', async () => {
  const address = newTeamsUrl()
  const script = readScript('host-ends')
  const { meeting, finished } = stageBrowser.stage.perform({
    address,
    script,
    knobs: {
      speed: 40,
      waitsForCaptions: true,
      view: 'host',
    },
  })
  await using visitor = await stageBrowser.openPage(address, [
    'teams-utterances.js',
    'teams-rows.js',
  ])
  const { page } = visitor
  await askToJoinTeams(page)
  await meeting.waitFor('captions on')
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

test('the earlier Microsoft Teams uses other selectors for captions', async () => {
  await using visitor = await listen({ generation: 'earlier' })
  const { page, meeting } = visitor
  await page.keyboard.press('Alt+Shift+C')
  await meeting.waitFor('captions on')
  await meeting.say('ben', 'Fine.')
  const item = page.locator('[data-tid="closed-captions-renderer"] .ui-chat__item')
  await item.locator('.fui-StyledText:text-is("Fine.")').waitFor()
  assert.equal(await item.locator('.ui-chat__message__author').textContent(), 'Ben Carter')
  await page.locator('div#hangup-button button').waitFor()
})

test('Microsoft Teams shows only its newest rows and can recycle the oldest', async () => {
  await using visitor = await listen({ keptRows: 2, recyclesRows: true })
  const { page, meeting } = visitor
  await page.keyboard.press('Alt+Shift+C')
  await meeting.waitFor('captions on')
  await meeting.say('ana', 'One.')
  await page.getByText('One.').waitFor()
  await page.evaluate(`oldest = document.querySelector('.fui-ChatMessageCompact')`)
  await meeting.say('ben', 'Two.')
  await meeting.say('ana', 'Three.')
  await page.getByText('Three.').waitFor()
  assert.deepEqual(await page.locator('[data-tid="closed-caption-text"]').allTextContents(), [
    'Two.',
    'Three.',
  ])
  assert.equal(await page.evaluate('oldest.isConnected && oldest.textContent'), 'Ana RibeiroThree.')
})

type Recognition = { text: string; isFinal: boolean; userId: string; timestampAudioSent: number }

type Frame = { url: string; headers: Record<string, string>; body: string }

test('a Microsoft Teams guest has a calling library, unmarked rows, and captions, participants and the end on the wire', async () => {
  await using visitor = await listen({}, ['teams-rows.js', 'sockets.js'])
  const { page, meeting } = visitor
  await page.locator('#callingButtons-showMoreBtn').click()
  await page.locator('#callingButtons-showMoreBtn[aria-expanded="true"]').waitFor()
  await page.locator('div#closed-captions-button').click()
  const guest = await meeting.waitFor('captions on')
  await page.evaluate(
    `msteamscalling.deref().callingService.getActiveCall().setClosedCaptionsLanguage('de-de')`,
  )
  assert.equal(await eventually(() => guest.language), 'de-de')
  const names = await page.evaluate(
    'callingDebug.observableCall.participants.map(({ displayName }) => displayName)',
  )
  assert.deepEqual(names, ['Ana Ribeiro', 'Ben Carter', 'Notes Bot'])

  await meeting.say('ana', "there's no", "There's no problem.")
  await meeting.say('ana', 'None at all.')
  await page.getByText('None at all.').waitFor()
  const rows = await page.evaluate<Array<{ words: string; isMarked: boolean }>>('tidRows()')
  assert.deepEqual(
    rows.map(({ words, isMarked }) => [words, isMarked]),
    [
      ["There's no problem.", false],
      ['None at all.', false],
    ],
  )

  const messages = await eventually(async () => {
    const all =
      await page.evaluate<Array<{ recognitionResults?: Recognition[] } | unknown[]>>('mainMessages')
    return JSON.stringify(all).includes('None at all.') ? all : null
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
      ['None', false],
      ['None at', false],
      ['None at all.', true],
    ],
  )
  assert.equal(new Set(results.map(({ timestampAudioSent }) => timestampAudioSent)).size, 2)
  assert.match(results[0]?.userId ?? '', /^8:orgid:/)

  meeting.leave('ben')
  meeting.remove()
  const frames = await eventually(async () => {
    const all = await page.evaluate<string[]>('frames3')
    return all.some((frame) => frame.includes('conversationEnd')) ? all : null
  })
  assert.ok(frames.every((frame) => frame.startsWith('3:::')))
  const read = frames.map((frame) => JSON.parse(frame.slice(4)) as Frame)
  assert.ok(read.every(({ headers }) => headers['X-Microsoft-Skype-Chain-ID'] === meeting.callId))
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
      id: meeting.participantsSeenBy(await meeting.waitFor('entered'))[0]?.mri,
      displayName: 'Ana Ribeiro',
    },
  })
})

test('a Microsoft Teams host finds captions one menu deeper, and shortcut and calling library can be missing', async () => {
  await using visitor = await listen({ view: 'host', hasInternals: false, isShortcutDeaf: true })
  const { page, meeting } = visitor
  assert.equal(await page.evaluate('typeof callingDebug'), 'undefined')
  await page.keyboard.press('Alt+Shift+C')
  assert.equal(await page.locator('[data-tid*="closed-caption"]').count(), 0)
  await page.locator("button[data-tid='more-button']").click()
  assert.equal(await page.locator('#closed-captions-button').count(), 0)
  await page.locator('div#LanguageSpeechMenuControl-id').click()
  await page.locator('div#closed-captions-button').click()
  await meeting.waitFor('captions on')
  await page.locator('[data-tid="closed-caption-renderer-wrapper"]').waitFor()
})
