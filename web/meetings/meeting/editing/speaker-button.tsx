import './editing.css'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { useCanEditMeeting, useOpenEditDialog } from './edit-dialogs.tsx'

/**
 * The name of a speaker in the transcript; pressing it renames the speaker. It is a span, because the text of a button
 * cannot be selected and copied, and it is no button for screen readers, because a transcript can have ten thousand lines:
 * "Rename a speaker…" in the menu of the meeting does the same.
 */
export function SpeakerButton({ speaker }: { speaker: string }) {
  const open = useOpenEditDialog()
  const canEdit = useCanEditMeeting()
  if (open === null || !canEdit) return <SpeakerName speaker={speaker} />
  const rename = () => {
    // The person selects text to copy it.
    if (window.getSelection()?.isCollapsed === false) return
    open({ kind: 'speaker', speaker })
  }
  return (
    <span className="speaker-button" title="Rename this speaker" onClick={rename}>
      <SpeakerName speaker={speaker} />
    </span>
  )
}
