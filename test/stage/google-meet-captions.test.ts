import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import { readScript } from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  waitUntilPageCaughtUp,
  FAST,
  askToJoinMeet,
  admitGuests,
  newMeetUrl,
  openSharedStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'
import { wordsBySpeaker, type CaptionLine } from './words-by-speaker.ts'

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openSharedStageBrowser()
})

/** A page in a call with captions on. */
async function listen(knobs: KnobSettings = {}, readers: string[] = []) {
  const address = newMeetUrl()
  const meeting = stageBrowser.stage.open(address, { cast: CAST, knobs: { ...FAST, ...knobs } })
  const visitor = await stageBrowser.openPage(address, readers)
  await askToJoinMeet(visitor.page)
  await admitGuests(meeting)
  if (!readers.includes('meet-newest-row.js')) await visitor.page.keyboard.press('c')
  await meeting.waitFor('captions on')
  return { ...visitor, meeting }
}

test('readers by position and by class get every word of a script from Google Meet', async () => {
  const address = newMeetUrl()
  const script = readScript('host-ends')
  const { meeting, finished } = stageBrowser.stage.perform({
    address,
    script,
    cues: [{ at: 6, do: 'chat', speaker: script.people[0]?.id ?? '', text: 'a message' }],
    knobs: {
      speed: 40,
      waitsForCaptions: true,
    },
  })
  await using visitor = await stageBrowser.openPage(address, ['meet-newest-row.js', 'meet-rows.js'])
  const { page } = visitor
  await askToJoinMeet(page)
  await meeting.waitFor('captions on')
  await finished
  await page.getByText('Your host ended the meeting for everyone').waitFor()
  const expected = wordsBySpeaker(expectedTranscript(script))
  const { blocks, messages } = await page.evaluate<{
    blocks: CaptionLine[]
    messages: CaptionLine[]
  }>('newestRow')
  assert.deepEqual(wordsBySpeaker(blocks), expected)
  assert.equal(messages.length > 0, true)
  assert.deepEqual(wordsBySpeaker(await page.evaluate<CaptionLine[]>('labelledRows()')), expected)
  assert.deepEqual(visitor.pageErrors, [])
})

test('the earlier Google Meet appends phrases as spans and drops the oldest', async () => {
  await using visitor = await listen({ generation: 'earlier' })
  const { page, meeting } = visitor
  await meeting.say('ana', 'One. Two. Three. Four.')
  const spans = page.locator(
    '.a4cQT > div > div > .TBMuR.bj4p3b [jsname="YSxPC"].Mz6pEf > [jsname="tgaKEf"].iTTPOb > span',
  )
  await page.locator('span:text-is("Four.")').waitFor()
  assert.deepEqual(
    (await spans.allTextContents()).map((text) => text.trim()),
    ['Two.', 'Three.', 'Four.'],
  )
  assert.equal(await page.locator('.zs7s8d.jxFHg').textContent(), 'Ana Ribeiro')
})

test('a Google Meet turn stays one row with one text node, and concurrent speakers have separate rows', async () => {
  await using visitor = await listen({}, ['meet-rows.js'])
  const { page, meeting } = visitor
  const row = page.locator('.nMcdL')
  await meeting.say('ana', 'so two plus', 'So 2 + 2 is 4.')
  await page.getByText('So 2 + 2 is 4.').waitFor()
  await page.evaluate(`first = document.querySelector('.ygicle').firstChild`)
  await meeting.say('ana', 'And that is all.')
  await page.getByText('So 2 + 2 is 4. And that is all.').waitFor()
  assert.equal(await row.count(), 1)
  assert.ok(await page.evaluate(`first === document.querySelector('.ygicle').firstChild`))
  await Promise.all([meeting.say('ben', 'Good.'), meeting.say('chloe', 'Can you hear me?')])
  await waitUntilPageCaughtUp(meeting, page)
  assert.deepEqual(wordsBySpeaker(await page.evaluate<CaptionLine[]>('labelledRows()')), {
    'Ana Ribeiro': 'So 2 + 2 is 4. And that is all.',
    'Ben Carter': 'Good.',
    'Chloé Martin': 'Can you hear me?',
  })
  assert.equal(
    await page.evaluate(`document.querySelector('.nMcdL').parentElement.children.length`),
    5,
  )
  // A late correction changes the earlier row and opens no new row.
  const corrected = { captionId: 'said-2', speaker: 'ana', text: 'And that is it.', isFinal: true }
  meeting.caption(corrected)
  await page.getByText('And that is it.').waitFor()
  assert.equal(await row.count(), 3)

  const region = page.locator('div[role="region"][aria-label="Captions"]')
  meeting.setCaptionsAvailable(false)
  await region.waitFor({ state: 'detached' })
  meeting.setCaptionsAvailable(true)
  await region.waitFor()
})

test('turning Google Meet captions off and on opens a new region without the speech in between, and the chat is readable by first children', async () => {
  await using visitor = await listen({}, ['meet-newest-row.js'])
  const { page, meeting } = visitor
  assert.ok((await page.locator('ul[aria-label="Meeting language"] *').count()) >= 400)
  await meeting.say('ana', 'Before.')
  await page.getByText('Before.').waitFor()
  await page.evaluate(`region = document.querySelector('div[role="region"][tabindex="0"]')`)
  await page.getByLabel('Turn off captions').click()
  await meeting.waitFor('captions off')
  assert.equal(await page.evaluate('region.isConnected'), false)
  await meeting.say('ana', 'Nobody reads this.')
  await waitUntilPageCaughtUp(meeting, page)
  await page.getByLabel('Turn on captions').click()
  await meeting.say('ana', 'After.')
  await page.getByText('After.').waitFor()
  assert.equal(await page.locator('.ygicle').allTextContents().then(String), 'After.')
  assert.notEqual(await page.evaluate(`region === document.querySelector('[tabindex="0"]')`), true)

  await eventually(async () => ((await page.locator('.Ge9Kpc').count()) === 1 ? true : null))
  meeting.chat('ben', 'the link is in the invitation')
  const message = await eventually(() => page.evaluate('newestRow.messages.at(-1) ?? null'))
  assert.deepEqual(message, { name: 'Ben Carter', words: 'the link is in the invitation' })
  // The leave button is the same element as in the lobby.
  await page.getByLabel('Leave call').click()
  assert.equal(await page.evaluate('newestRow.hasLeft'), true)
})

test('Google Meet rows with new text nodes that are seeded, doubled and briefly removed end with the right text', async () => {
  const knobs = {
    textBy: 'node',
    hasSeedRows: true,
    hasTwinRows: true,
    removalGapMs: 1_000,
  } as const
  await using visitor = await listen(knobs, ['meet-rows.js'])
  const { page, meeting } = visitor
  await meeting.say(
    'ana',
    'One two three four five six seven eight nine ten eleven twelve thirteen.',
  )
  const rows = page.locator('.nMcdL')
  await eventually(async () => ((await rows.count()) === 1 ? true : null))
  await rows.getByText('twelve thirteen.').waitFor()
  const seen = await page.evaluate<CaptionLine[]>('labelledRows()')
  assert.ok(seen.length >= 4, 'the row, its seed, a twin, and the row again after a gap')
})
