import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../test/support/time/eventually.ts'
import type { SpeechLoss } from '../bots/platforms/speech/recognition.ts'
import { createLog } from '../log.ts'
import type { InstallationState } from './install/installation.ts'
import { createRecognition } from './recognition.ts'

/** A runtime whose text for an utterance is the name of its folder, and how many utterances its process has heard. */
const RUNTIME = `
const { basename } = require('node:path')
let heard = 0
exports.OfflineRecognizer = class {
  createStream() { return { acceptWaveform() {} } }
  decode() {}
  getResult() {
    heard += 1
    return { text: basename(__dirname) + ' ' + heard }
  }
}
exports.Vad = class {
  acceptWaveform(samples) { this.peak = Math.max(...samples) }
  isEmpty() { return true }
  isDetected() { return this.peak > 0.01 }
  reset() { this.peak = 0 }
}`

function openRuntimes() {
  const root = mkdtempSync(join(tmpdir(), 'recognition-'))
  const install = (name: string): InstallationState => {
    const folder = join(root, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'main.cjs'), RUNTIME)
    const [runtime, main] = ['native', 'main.cjs'] as const
    const manifest = { runtime, main, files: [] }
    return { state: 'installed', files: { runtime, main, folder }, manifest }
  }
  return { install, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}

test('a session that runs keeps its process while its files stay, and goes on with files that are installed meanwhile', async () => {
  using runtimes = openRuntimes()
  let installed = runtimes.install('first')
  using recognition = createRecognition({
    isOn: true,
    mostWorkers: 1,
    endpoint: null,
    findInstallation: () => installed,
    log: createLog('silent'),
  })
  const texts: string[] = []
  const losses: SpeechLoss[] = []
  await using session = recognition.openSession({
    language: 'en',
    onUtterance: ({ text }) => void texts.push(text),
    onLoss: (loss) => void losses.push(loss),
  })
  const speak = (startsAt: number) => {
    const samples = new Int16Array(16_000).fill(5_000)
    session.addSound({ voice: 'ada', startsAt, samples })
    session.endVoice('ada')
  }
  speak(0)
  await eventually(() => texts[0] ?? null)
  recognition.installationChanged()
  speak(10_000)
  await eventually(() => texts[1] ?? null)
  installed = runtimes.install('second')
  recognition.installationChanged()
  speak(20_000)
  await eventually(() => texts[2] ?? null)
  assert.deepEqual(texts, ['first 1', 'first 2', 'second 1'])
  assert.equal(losses.length, 0)

  installed = { state: 'absent' }
  recognition.installationChanged()
  speak(30_000)
  assert.match(losses.at(-1)?.reason ?? '', /was removed/)
  assert.equal(session.isBusy(), false)
})
