import { test } from 'node:test'
import { createGalene } from '../../../src/bots/platforms/galene/galene.ts'
import { expectTranscript, findTranscriptObstacle } from '../sound-call/expect-transcript.ts'
import { openRealGalene } from './real-galene.ts'
import { joinInBrowser } from './real-people.ts'

/** HANSARD_TEST_GALENE, as the test runner passes it on. */
const PROGRAM = process.env['TEST_GALENE'] ?? ''
const skip =
  (PROGRAM === '' && 'set HANSARD_TEST_GALENE to the program of a Galène server') ||
  findTranscriptObstacle()

test(
  'the transcript of a meeting on a real server has what was said, under the right names',
  { skip },
  async (t) => {
    await using galene = await openRealGalene(PROGRAM, {
      talk: { 'wildcard-user': { password: { type: 'wildcard' }, permissions: 'present' } },
    })
    const settings = { hosts: [galene.host], password: null }
    const url = galene.groupUrl('talk')
    await expectTranscript(t, {
      url,
      create: (options) => createGalene({ ...options, settings }),
      join: (browser, name) => joinInBrowser(browser, url, { name, speaks: true }),
    })
  },
)
