import './speakers.css'
import { speakerDisplayName, speakerHueClass, speakerInitials } from './speaker.ts'

interface SpeakerNameProps {
  speaker: string
  /** Small in lists and facts, where the name is not a heading. */
  isSmall?: boolean
}

/** A speaker's name in the speaker's colour, with an avatar. */
export function SpeakerName({ speaker, isSmall = false }: SpeakerNameProps) {
  const name = speakerDisplayName(speaker)
  return (
    <span className={`speaker ${speakerHueClass(speaker)}${isSmall ? ' speaker-small' : ''}`}>
      <SpeakerAvatar speaker={speaker} />
      <bdi>{name}</bdi>
    </span>
  )
}

/** The style sheet generates the initials, so that they are not part of copied text. */
function SpeakerAvatar({ speaker }: { speaker: string }) {
  return (
    <span
      className={`avatar ${speakerHueClass(speaker)}`}
      data-initials={speakerInitials(speakerDisplayName(speaker))}
      aria-hidden
    />
  )
}
