import type { Speakers } from './speakers.ts'
import { displayName } from './speakers.ts'
import { SpeakerName } from './line.tsx'
import type { TranscriptStore } from './transcript-store.ts'
import { useEvolving } from './use-transcript.ts'

/** What is being said now. Not read out: a screen reader hears the line once, when it is final. */
export function Evolving({ store, speakers }: { store: TranscriptStore; speakers: Speakers }) {
  const captions = useEvolving(store)
  return (
    <div aria-live="off">
      {captions.map(({ captionId, speaker, text }) => (
        <div key={captionId} className={`line turn evolving hue-${speakers.hueOf(speaker)}`}>
          <span className="line-time">now</span>
          <div className="line-body">
            <SpeakerName name={displayName(speaker)} />
            <p className="line-text" dir="auto">
              {text}
            </p>
          </div>
        </div>
      ))}
    </div>
  )
}
