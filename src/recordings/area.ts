import type { ProjectAccessStore } from '../access/project-access.ts'
import type { SpeechRecognition } from '../bots/platforms/speech/recognition.ts'
import type { AreaContext } from '../db/context.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { SecretBox } from '../lib/crypto.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import { startRecordingRunner } from './recording-runner.ts'
import { createRecordings, type Recordings } from './recordings.ts'

export type RecordingsArea = AsyncDisposable & { recordings: Recordings }

type Parts = AreaContext & {
  secretBox: SecretBox
  membership: NodeMembership
  registerProject: ProjectAccessStore['registerProject']
  hasDiskSpace(): boolean
  timeZone: string
  limits: { maxBytes: number; maxMs: number }
  hasMasterKey: boolean
  recognition: Pick<SpeechRecognition, 'findObstacle' | 'openSession'>
  imports: Pick<TranscriptImports, 'add'>
}

/**
 * Opens the recordings area. A node with the role `bots`, which has speech recognition, starts to recognize them if it
 * has the master key, which opens the keys of their sound.
 */
export function openRecordingsArea(parts: Parts): RecordingsArea {
  const { membership, recognition, limits } = parts
  const recognizes = membership.hasRole('bots') && parts.hasMasterKey
  const announce = () => membership.broadcast('recordings_changed', {})
  const runner = recognizes
    ? startRecordingRunner({
        ...parts,
        maxMs: limits.maxMs,
        onProgress: announce,
        onEnded: announce,
      })
    : null
  const wake = () => runner?.wake()
  membership.onMessage('recordings_changed', wake)
  const recordings = createRecordings({
    ...parts,
    // Another node recognizes it, and only that node knows what is installed there.
    findSpeechProblem: recognizes ? recognition.findObstacle : async () => null,
    onChanged() {
      wake()
      announce()
    },
  })
  return {
    recordings,
    async [Symbol.asyncDispose]() {
      await runner?.[Symbol.asyncDispose]()
    },
  }
}
