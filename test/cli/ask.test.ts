import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openAskService } from '../ask/ask-service.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { openModelServer } from '../support/tasks/model-server.ts'

const PUMP = {
  name: 'pump',
  title: 'Pump \u001b[31mred',
  lines: [
    { speaker: 'Ada', text: 'The walrus pump is broken.' },
    { speaker: 'Ben', text: 'A new one costs nine hundred euros.' },
  ],
}
const QUESTION = 'What does the walrus pump cost?'

test('hansard ask prints the answer and its sources, or the passages and why', async () => {
  let words = ['It costs 900 euros [2].\nI am sure.']
  await using server = await openModelServer(() => ({ words }))
  await using opened = await openAskService(server.url)
  await using folder = createTestDataFolder()
  const url = `http://127.0.0.1:${opened.service.port}`
  const key = opened.program.key['x-api-key']
  const env = { ...folder.env, HANSARD_URL: url, HANSARD_API_KEY: key }
  const ask = (...args: string[]) => runLoadedCommand(['ask', ...args], env)
  await opened.addMeeting(PUMP)
  const { code, stdout, stderr } = await ask(QUESTION)
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(
    stdout,
    [
      'It costs 900 euros. [1]',
      '',
      '[1] Pump \\x1b[31mred, 2026-01-01 09:00 UTC, Ben: A new one costs nine hundred euros.',
      `    ${url}/meetings/meeting_pump#line-2`,
      '',
    ].join('\n'),
  )
  const asJson = await ask(QUESTION, '--json', '--meeting', 'meeting_pump')
  assert.partialDeepStrictEqual(JSON.parse(asJson.stdout), { found: true, droppedSentences: 1 })
  words = ['It costs 900 euros [2].\nThe pump is broken [1], so a new one is needed [2].']
  const cited = await ask(QUESTION)
  assert.match(cited.stdout, /^It costs 900 euros\. \[1\]\nThe pump.* \[2\]\[1\]\n\n\[1\] .*Ben: /)
  assert.match(cited.stdout, /\n\[2\] .*Ada: .*\n {4}.*#line-1\n$/)
  words = ['NOT FOUND']
  assert.equal((await ask(QUESTION)).stdout, 'Not found in your meetings.\n')
  words = []
  const failed = await ask(QUESTION)
  assert.match(
    failed.stdout,
    /^Passages that may hold the answer.*\n\[1\] .*pump is broken\.\n {4}http.*#line-1\n$/,
  )
  assert.match(failed.stderr, /^The language model failed\. /)
  words = ['It costs 900 euros.']
  assert.match((await ask(QUESTION)).stderr, /cited no lines for its answer/)
  const refused = await ask(QUESTION, '--project', 'none')
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /There is no such project/)
  const wrong = await ask(QUESTION, '--service', 'nowhere')
  assert.match(wrong.stderr, /nowhere is not a valid service address[^]*Check --service/)
  const unreachable = await ask(QUESTION, '--service', 'http://127.0.0.1:9')
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.stderr, /Check that the service runs at http:\/\/127\.0\.0\.1:9/)
})
