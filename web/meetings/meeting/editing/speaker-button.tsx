import './editing.css'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { useCanEditMeeting, useOpenEditDialog } from './edit-dialogs.tsx'

/**
 * A speaker's name in the transcript. Pressing it renames the speaker. It is a span, because the text of a button can't
 * be selected and copied. It is not a button for screen readers, because a transcript can have ten thousand lines: for
 * them, "Rename a speaker…" in the meeting's menu does the same.
 */
export function SpeakerButton({ speaker }: { speaker: string }) {
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
