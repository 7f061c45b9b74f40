import { SpeakerName } from '../../speakers/speaker-name.tsx'
import type { TranscriptStore } from './transcript-store.ts'
import { usePartialCaptions } from './use-transcript.ts'

/** Captions that may still change. Screen readers skip them and announce only the final line. */
export function PartialCaptions({ store }: { store: TranscriptStore }) {
  const captions = usePartialCaptions(store)
  return (
    <div aria-live="off">
      {captions.map(({ captionId, speaker, text }) => (
        <div key={captionId} className="line turn evolving">
          <span className="line-time">now</span>
          <div className="line-body">
            <SpeakerName speaker={speaker} />
            <p className="line-text" dir="auto">
              {text}
            </p>
          </div>
        </div>
      ))}
    </div>
  )
}
