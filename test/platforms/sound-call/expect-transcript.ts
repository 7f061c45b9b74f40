import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { AttendOptions } from '../../../src/bots/platforms/page-session/attend-page.ts'
import type { Platform } from '../../../src/bots/platforms/platform.ts'
import { INSTALLATION_FOLDER, PROCESS_ENV_AND_HOME } from '../../../src/config/load-config.ts'
import { extractWordKeys } from '../../../src/lib/text/words.ts'
import { createLog } from '../../../src/log.ts'
import { openSpeechArea } from '../../../src/speech/area.ts'
import { openTestPool } from '../../browser/open-test-pool.ts'
import { openMeetingsClient, startService } from '../../support/meetings/meetings-client.ts'
import { eventually } from '../../support/time/eventually.ts'
import { openSpeakingBrowser } from './speaking-browser.ts'
import { findMissingPrograms, speakIntoFile } from './spoken-audio.ts'

/** HANSARD_TEST_SPEECH, as the test runner passes it on. */
const SPEECH_FOLDER = process.env['TEST_SPEECH'] ?? ''

const PEOPLE = [
  {
    name: 'Ana',
    program: 'espeak-ng',
    voice: 'en-us',
    text: 'Good morning everybody. The budget for the next year is ready. We can buy new computers for the whole team.',
  },
  {
    name: 'Ben',
    program: 'flite',
    voice: 'slt',
    text: 'Thank you for the report. I will read it this afternoon and send my questions tomorrow morning.',
  },
  {
    name: 'Chloé',
    program: 'flite',
    voice: 'rms',
    text: 'The customers asked for a shorter contract. We should answer before the end of the week.',
  },
] as const
/** Synthetic voices are harder to recognize than people's, and this machine may be busy. */
const MAX_WRONG_WORDS = 0.15

/** What this machine needs to compare a transcript with what was said; false if nothing is missing. */
export function findTranscriptObstacle(): string | false {
  const missing = findMissingPrograms()
  if (SPEECH_FOLDER === '')
    return 'set HANSARD_TEST_SPEECH to a data folder in which speech is installed'
  return missing.length > 0 && `install ${missing.join(' and ')}`
}

type Options = {
  url: string
  create(options: AttendOptions): Platform
  /** Joins the meeting as a person whose microphone plays what was prepared. */
  join(browser: Browser, name: string): Promise<unknown>
}

/** Lets three people speak in a meeting, and expects what they said under their names. */
export async function expectTranscript(
  t: Pick<TestContext, 'diagnostic'>,
  { url, create, join: joinMeeting }: Options,
): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'hansard-voices-'))
  stack.defer(() => rmSync(folder, { recursive: true }))
  const log = createLog('silent')
  const area = stack.use(
    openSpeechArea({
      settings: { isOn: true, workers: 1, dataFolder: SPEECH_FOLDER, endpoint: null },
      npm: { env: PROCESS_ENV_AND_HOME.env, installationFolder: INSTALLATION_FOLDER },
      log,
    }),
  )
  const pool = stack.use(await openTestPool())
  const platforms = [create({ pool, speech: area.recognition, log })]
  const service = stack.use(await startService({}, { platforms }))
  const program = await openMeetingsClient(service)
  const meetingId = await program.start(url)
  await program.waitForStatus(meetingId, ['live'])
  for (const { name, program: speaker, voice, text } of PEOPLE) {
    const file = join(folder, `${name}.wav`)
    speakIntoFile(speaker, text, { file, silentSeconds: 4, voice })
    const browser = await openSpeakingBrowser(file)
    stack.defer(() => browser.close())
    await joinMeeting(browser, name)
  }
  const readWords = async () => {
    const { body } = await program.get(`/${meetingId}/transcript`)
    const lines = body['segments'] as Array<{ speaker: string; text: string }>
    return (name: string) =>
      extractWordKeys(
        lines
          .filter(({ speaker }) => speaker === name)
          .map(({ text }) => text)
          .join(' '),
      )
  }
  await eventually(async () => {
    const words = await readWords()
    const areAllHeard = PEOPLE.every(
      ({ name, text }) => words(name).length >= extractWordKeys(text).length * 0.9,
    )
    return areAllHeard ? true : null
  })
  // The bot recognizes what it has heard before the meeting is over.
  await program.post('/stop', { meetingId })
  await program.waitForStatus(meetingId)
  const heardBy = await readWords()
  for (const { name, text } of PEOPLE) {
    const said = extractWordKeys(text)
    const wrong = countWrongWords(said, heardBy(name))
    t.diagnostic(`${name}: ${wrong} of ${said.length} words are wrong`)
    assert.ok(wrong <= said.length * MAX_WRONG_WORDS, `${name}: ${heardBy(name).join(' ')}`)
    // The first word is not clipped.
    assert.equal(heardBy(name)[0], said[0])
  }
}

/** The edit distance in words. */
function countWrongWords(said: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [index, word] of said.entries()) {
    const next = [index + 1]
    for (const [at, other] of heard.entries()) {
      const replaced = (row[at] ?? 0) + (word === other ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
