import './editing.css'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { useOpenEditDialog } from './edit-dialogs.tsx'

/**
 * The name of a speaker in the transcript; pressing it renames the speaker. It is a span, because the text of a button
 * cannot be selected and copied, and it is not in the tab order, because a transcript can have ten thousand lines.
 */
export function SpeakerButton({ speaker }: { speaker: string }) {
  const open = useOpenEditDialog()
  if (open === null) return <SpeakerName speaker={speaker} />
  const rename = () => {
    // The person selects text to copy it.
    if (window.getSelection()?.isCollapsed === false) return
    open({ kind: 'speaker', speaker })
  }
  return (
    <span
      role="button"
      tabIndex={-1}
      className="speaker-button"
      title="Rename this speaker"
      onClick={rename}
      onKeyDown={({ key }) => {
        if (key === 'Enter') rename()
      }}
    >
      <SpeakerName speaker={speaker} />
    </span>
  )
}
