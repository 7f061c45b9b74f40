import type { SpeechLoss, SpeechRecognition } from '../bots/platforms/speech/recognition.ts'
import { abortable } from '../lib/async/abort.ts'
import type { SpeechCorrector } from '../meetings/captions/corrected-speech.ts'
import { mixChannels, muteOtherVoices } from './channel-speakers.ts'
import type { Portion } from './portions.ts'
import type { RecordedLine } from './recording-store.ts'

export type RecognizedPortion = {
  lines: RecordedLine[]
  /** Sound that was not recognized, and why. */
  lostMs: number
  lossReason: string | null
}

type Options = {
  language: string | null
  hasChannelSpeakers: boolean
  corrector: Pick<SpeechCorrector, 'correctText'>
}

/** Quieter sound is never speech. About -54 dB. */
const LEAST_PEAK = 64
/** The session is given this much sound before other work of the process runs. */
const SOUNDS_PER_TURN = 8

/** Recognizes a portion of a recording. A portion of silence costs nothing. */
export async function recognizePortion(
  recognition: Pick<SpeechRecognition, 'openSession'>,
  { sounds }: Portion,
  { language, hasChannelSpeakers, corrector }: Options,
  signal: AbortSignal,
): Promise<RecognizedPortion> {
  const lines: RecordedLine[] = []
  let loss: SpeechLoss | null = null
  if (!sounds.some(({ channels }) => channels.some(isAudible)))
    return { lines, lostMs: 0, lossReason: null }
  await using session = recognition.openSession({
    language,
    isRecording: true,
    onUtterance: ({ voice, text, startedAt }) =>
      void lines.push({
        channel: Number(voice),
        text: corrector.correctText(text),
        startMs: startedAt,
      }),
    onLoss(one) {
      loss = one
    },
  })
  for (const [index, { startMs, channels }] of sounds.entries()) {
    const voices = hasChannelSpeakers ? muteOtherVoices(channels) : [mixChannels(channels)]
    for (const [channel, samples] of voices.entries())
      session.addSound({ voice: String(channel), startsAt: startMs, samples })
    if (index % SOUNDS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
  }
  await abortable(session.finish(), signal)
  const { lostMs = 0, reason = null } = (loss as SpeechLoss | null) ?? {}
  return { lines: lines.toSorted((a, b) => a.startMs - b.startMs), lostMs, lossReason: reason }
}

function isAudible(samples: Int16Array): boolean {
  return samples.some((sample) => sample > LEAST_PEAK || sample < -LEAST_PEAK)
}
