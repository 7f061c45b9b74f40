import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createGalene } from '../../../src/bots/platforms/galene/galene.ts'
import { INSTALLATION_FOLDER, PROCESS_ENV_AND_HOME } from '../../../src/config/load-config.ts'
import { extractWordKeys } from '../../../src/lib/text/words.ts'
import { createLog } from '../../../src/log.ts'
import { openSpeechArea } from '../../../src/speech/area.ts'
import { openTestPool } from '../../browser/open-test-pool.ts'
import { openMeetingsClient, startService } from '../../support/meetings/meetings-client.ts'
import { eventually } from '../../support/time/eventually.ts'
import { openRealGalene } from './real-galene.ts'
import { openSpeakingBrowser } from '../sound-call/speaking-browser.ts'
import { joinInBrowser } from './real-people.ts'
import { findMissingPrograms, speakIntoFile } from '../sound-call/spoken-audio.ts'

/** HANSARD_TEST_GALENE and HANSARD_TEST_SPEECH, as the test runner passes them on. */
const PROGRAM = process.env['TEST_GALENE'] ?? ''
const SPEECH_FOLDER = process.env['TEST_SPEECH'] ?? ''
const missing = findMissingPrograms()
const skip =
  (PROGRAM === '' && 'set HANSARD_TEST_GALENE to the program of a Galène server') ||
  (SPEECH_FOLDER === '' &&
    'set HANSARD_TEST_SPEECH to a data folder in which speech is installed') ||
  (missing.length > 0 && `install ${missing.join(' and ')}`)

const PEOPLE = [
  {
    name: 'Ana',
    program: 'espeak-ng',
    text: 'Good morning everybody. The budget for the next year is ready. We can buy new computers for the whole team.',
  },
  {
    name: 'Ben',
    program: 'flite',
    text: 'Thank you for the report. I will read it this afternoon and send my questions tomorrow morning.',
  },
] as const
/** Synthetic voices are harder to recognize than people's, and this machine may be busy. */
const MAX_WRONG_WORDS = 0.15

test(
  'the transcript of a meeting on a real server has what was said, under the right names',
  { skip },
  async () => {
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'hansard-voices-'))
    stack.defer(() => rmSync(folder, { recursive: true }))
    const log = createLog('silent')
    const galene = stack.use(
      await openRealGalene(PROGRAM, {
        talk: { 'wildcard-user': { password: { type: 'wildcard' }, permissions: 'present' } },
      }),
    )
    const area = stack.use(
      openSpeechArea({
        settings: { isOn: true, workers: 1, dataFolder: SPEECH_FOLDER, endpoint: null },
        npm: { env: PROCESS_ENV_AND_HOME.env, installationFolder: INSTALLATION_FOLDER },
        log,
      }),
    )
    const pool = stack.use(await openTestPool())
    const settings = { hosts: [galene.host], password: null }
    const platforms = [createGalene({ pool, speech: area.recognition, settings, log })]
    const service = stack.use(await startService({}, { platforms }))
    const program = await openMeetingsClient(service)
    const meetingId = await program.start(galene.groupUrl('talk'))
    await program.waitForStatus(meetingId, ['live'])
    for (const { name, program: speaker, text } of PEOPLE) {
      const file = join(folder, `${name}.wav`)
      speakIntoFile(speaker, text, { file, silentSeconds: 4 })
      const browser = await openSpeakingBrowser(file)
      stack.defer(() => browser.close())
      await joinInBrowser(browser, galene.groupUrl('talk'), { name, speaks: true })
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
      assert.ok(wrong <= said.length * MAX_WRONG_WORDS, `${name}: ${heardBy(name).join(' ')}`)
      // The first word is not clipped.
      assert.equal(heardBy(name)[0], said[0])
    }
  },
)

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
