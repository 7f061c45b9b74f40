import '../editing/editing.css'
import { memo, type ReactNode } from 'react'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { useCanEditMeeting, useOpenEditDialog } from '../editing/edit-dialogs.tsx'
import { lineElementId } from './line-elements.ts'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'

/** Renders the buttons and the comments of a line. */
export type RenderLineActions = (line: ApiSegment) => ReactNode

interface TranscriptLineProps {
  line: ApiSegment
  /** True if another speaker said the previous line, or if there is a gap before this line. */
  isTurn: boolean
  isTarget: boolean
  renderLineActions?: RenderLineActions | undefined
}

/** The timestamp links to the line. It is not in the tab order, because a transcript can have ten thousand lines. */
export const TranscriptLine = memo(function Line({
  line,
  isTurn,
  isTarget,
  renderLineActions,
}: TranscriptLineProps) {
  const { segmentNumber, speaker, text, timestamp, incomplete } = line
  const id = lineElementId(segmentNumber)
  return (
    <div id={id} className={`line${isTurn ? ' turn' : ''}${isTarget ? ' target' : ''}`}>
      <a href={`#${id}`} className="line-time" tabIndex={-1}>
        <TimeOfDay at={timestamp} />
      </a>
      <div className="line-body">
        {isTurn && <SpeakerButton speaker={speaker} />}
        <p className="line-text" dir="auto">
          {incomplete && <span className="line-incomplete">words missing</span>}
          {text}
        </p>
      </div>
      {renderLineActions?.(line)}
    </div>
  )
})

/**
 * A speaker's name in the transcript. Pressing it renames the speaker. It is a span, because the text of a button can't
 * be selected and copied. It is not a button for screen readers, because a transcript can have ten thousand lines: for
 * them, "Rename a speaker…" in the meeting's menu does the same.
 */
function SpeakerButton({ speaker }: { speaker: string }) {
  const open = useOpenEditDialog()
  const canEdit = useCanEditMeeting()
  if (open === null || !canEdit) return <SpeakerName speaker={speaker} />
  const rename = () => {
    // The user is selecting text to copy it.
    if (window.getSelection()?.isCollapsed === false) return
    open({ kind: 'speaker', speaker })
  }
  return (
    <span className="speaker-button" title="Rename this speaker" onClick={rename}>
      <SpeakerName speaker={speaker} />
    </span>
  )
}
