import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { normalizeTeamsVtt } from './teams-vtt.ts'

test('complete times stay as they are', async () => {
  const content = 'WEBVTT\r\n\r\n00:00:01.500 --> 00:00:04.000\r\n<v Ada>Good morning.</v>\r\n'
  assert.deepEqual(await normalizeTeamsVtt(content), { content, beforeStartMs: 0 })
})

test('short times are completed', async () => {
  const { content } = await normalizeTeamsVtt('WEBVTT\n\n0:0:0.0 --> 0:0:5.32\n<v Ada>One.</v>\n')
  assert.equal(content, 'WEBVTT\n\n00:00:00.000 --> 00:00:05.320\n<v Ada>One.</v>\n')
})

test('times before the start move all times, and text that looks like a time stays', async () => {
  const { content, beforeStartMs } = await normalizeTeamsVtt(
    'WEBVTT\n\n-0:1:0.0 --> -0:0:59.0\n<v Ada>At 0:5:3 --> we begin</v>\n\n0:0:2.0 --> 0:0:3.0\n<v Ada>Two</v>\n',
  )
  assert.equal(beforeStartMs, 60_000)
  assert.equal(
    content,
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v Ada>At 0:5:3 --> we begin</v>\n\n00:01:02.000 --> 00:01:03.000\n<v Ada>Two</v>\n',
  )
})

test('a cue from more than a day before the start moves the others by a day at most', async () => {
  const { content, beforeStartMs } = await normalizeTeamsVtt('WEBVTT\n\n-99:0:0 --> 0:0:1\nHello\n')
  assert.equal(beforeStartMs, 24 * 3_600_000)
  assert.match(content, /^WEBVTT\n\n00:00:00\.000 --> 24:00:01\.000/)
})

test('a long transcript is moved as a whole', async () => {
  const cue =
    '\n0:0:1.0 --> 0:0:2.0\n<v Ada>A sentence that is long enough for several pieces.</v>\n'
  const { content } = await normalizeTeamsVtt(
    `WEBVTT\n${cue.repeat(10_000)}\n-0:0:1.0 --> 0:0:0.0\nFirst\n`,
  )
  assert.equal(content.match(/^00:00:02\.000 --> 00:00:03\.000$/gm)?.length, 10_000)
  assert.match(content, /\n00:00:00\.000 --> 00:00:01\.000\nFirst\n$/)
})
