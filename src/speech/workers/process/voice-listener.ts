import { createFrameSplitter } from '../../cutting/frame-splitter.ts'
import type { SoundChunk, SoundFrame } from '../../cutting/sound.ts'
import { createUtteranceCutter, type UtteranceSound } from '../../cutting/utterance-cutter.ts'
import type { DetectorPool } from './detector-pool.ts'

/** Cuts the sound of one voice into utterances, without recognizing them. */
export interface VoiceListener {
  add(chunk: SoundChunk): UtteranceSound[]
  end(): UtteranceSound[]
  state(): { heardTo: number; keepFrom: number; isInUtterance: boolean }
}

export function createVoiceListener(detectors: DetectorPool): VoiceListener {
  const splitter = createFrameSplitter()
  const cutter = createUtteranceCutter()
  const key = {}
  let heardTo = 0
  // The first position that is not yet in the cutter.
  let splitTo: number | null = null

  const cut = (frames: readonly SoundFrame[]): UtteranceSound[] =>
    frames.flatMap((frame) => {
      const detector = detectors.lend(key, cutter.recentFrames)
      splitTo = frame.to
      return cutter.add(frame, detector.isSpeech(frame.samples))
    })

  return {
    add(chunk) {
      splitTo ??= chunk.position
      heardTo = chunk.position + chunk.samples.length
      return cut(splitter.add(chunk))
    },
    end() {
      const utterances = [...cut(splitter.flush()), ...cutter.end()]
      splitTo = heardTo
      detectors.takeBack(key)
      return utterances
    },
    state: () => ({
      heardTo,
      keepFrom: cutter.keepFrom() ?? splitTo ?? heardTo,
      isInUtterance: cutter.isInUtterance(),
    }),
  }
}
