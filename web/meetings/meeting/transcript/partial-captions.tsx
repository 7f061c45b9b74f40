import type { SpeakerHues } from './speakers.ts'
import { speakerDisplayName } from './speakers.ts'
import { SpeakerName } from './transcript-line.tsx'
import type { TranscriptStore } from './transcript-store.ts'
import { usePartialCaptions } from './use-transcript.ts'

/** Captions that may still change. Screen readers skip them and announce only the final line. */
export function PartialCaptions({
  store,
  speakers,
}: {
  store: TranscriptStore
  speakers: SpeakerHues
}) {
  const captions = usePartialCaptions(store)
  return (
    <div aria-live="off">
      {captions.map(({ captionId, speaker, text }) => (
        <div key={captionId} className={`line turn evolving hue-${speakers.hueOf(speaker)}`}>
          <span className="line-time">now</span>
          <div className="line-body">
            <SpeakerName name={speakerDisplayName(speaker)} />
            <p className="line-text" dir="auto">
              {text}
            </p>
          </div>
        </div>
      ))}
    </div>
  )
}
